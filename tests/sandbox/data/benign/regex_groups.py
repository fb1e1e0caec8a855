import re
def score(output, trace, reference_data):
    m = re.search(r'(?P<y>\d{4})-(\d\d)', output)
    return m.groupdict() if m else None
