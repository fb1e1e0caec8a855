def score(output, trace, reference_data):
    n = 0
    while True:
        n += 1
        if n % 2:
            continue
        if n > 8:
            break
    else:
        n = -1
    return n
