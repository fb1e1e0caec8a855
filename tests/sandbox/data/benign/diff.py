import difflib
def score(output, trace, reference_data):
    return list(difflib.unified_diff(output.split(), ['Shipped'], lineterm=''))
