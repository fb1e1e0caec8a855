from decimal import Decimal
def score(output, trace, reference_data):
    return str(Decimal(len(output)) / Decimal(7))
