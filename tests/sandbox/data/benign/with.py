from contextlib import suppress, nullcontext
class T:
    def __enter__(self):
        self.on = 1
        return self
    def __exit__(self, *e):
        self.on = 0
        return True
def score(output, trace, reference_data):
    with T() as t, nullcontext(3) as k:
        raise ValueError
    with suppress(KeyError):
        {}['x']
    return [t.on, k]
