import json
def score(output, trace, reference_data):
    try:
        return json.loads(output)
    except json.JSONDecodeError as e:
        return [e.msg, e.pos]
