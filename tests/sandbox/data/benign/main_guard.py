if __name__ == '__main__':
    raise SystemExit
def score(output, trace, reference_data):
    return 1
