from datetime import datetime, timedelta
def score(output, trace, reference_data):
    return (datetime.strptime('2026-03-04', '%Y-%m-%d') + timedelta(days=2)).strftime('%a %d %b')
