def score(output, trace, reference_data):
    try:
        return int(output)
    except:
        return 'no'
