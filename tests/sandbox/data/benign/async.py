async def part(x):
    return x * 2
async def all_of(xs):
    return [await part(x) for x in xs]
async def score(output, trace, reference_data):
    return await all_of([len(output), 2])
