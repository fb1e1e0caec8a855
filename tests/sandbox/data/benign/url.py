from urllib.parse import urlsplit, parse_qs
def score(output, trace, reference_data):
    return [urlsplit('http://a/b?c=1').query, parse_qs('c=1&c=2')]
