import html
def score(output, trace, reference_data):
    return html.escape(output + '<b>')
