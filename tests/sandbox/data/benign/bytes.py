def score(output, trace, reference_data):
    b = bytearray(output.encode())[:4]
    b.extend(b'x')
    return [b.hex(), bytes(b).decode('latin-1'), list(b'ab')]
