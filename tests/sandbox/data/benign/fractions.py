from fractions import Fraction
def score(output, trace, reference_data):
    return str(Fraction(len(output), 12) + Fraction('1/3'))
