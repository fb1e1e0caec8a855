class Bad(Exception):
    def __init__(self, code):
        super().__init__(f'bad {code}')
        self.code = code
def score(output, trace, reference_data):
    try:
        raise Bad(3)
    except Bad as e:
        return [str(e), e.code, e.args, type(e).__name__]
    finally:
        len(output)
