import hashlib
def score(output, trace, reference_data):
    return hashlib.sha256(output.encode()).hexdigest()
