import statistics as st
def score(output, trace, reference_data):
    return st.pstdev([len(m.get('content') or '') for m in trace])
