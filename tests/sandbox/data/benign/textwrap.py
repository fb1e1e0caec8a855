import textwrap
def score(output, trace, reference_data):
    return textwrap.fill(output, 10)
