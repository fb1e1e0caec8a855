import difflib
def score(output, trace, reference_data):
    return difflib.SequenceMatcher(None, output, 'shipped').ratio()
