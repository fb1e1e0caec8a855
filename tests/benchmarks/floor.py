"""The floor: what a plain loop over the workload takes, with orjson and re, on one core.

    python floor.py DATA.jsonl OUT.jsonl

It judges the same six things as the benchmark's suite, writes a JSON line a judgment, and prints
its processor seconds and its counts of passes.
"""

import json
import re
import sys
import time

import orjson

PATTERN = r"\border [A-H][K-S]-\d{6}\b"


def judge(source, target):
    find = re.compile(PATTERN).search
    loads, dumps = orjson.loads, orjson.dumps
    passes = dict.fromkeys(("exact", "contains", "regex", "set", "tools", "steps"), 0)
    with open(source, "rb") as lines, open(target, "wb") as out:
        for line in lines:
            sample = loads(line)
            output, reference, name = sample["output"], sample["reference"], sample["id"]
            calls = []
            for message in sample["trace"]:
                if message["role"] == "assistant":
                    for call in message.get("tool_calls") or ():
                        function = call["function"]
                        calls.append((function["name"], loads(function["arguments"])))
            met, expected = 0, reference["tools"]
            for tool, arguments in calls:
                if (
                    met < len(expected)
                    and tool == expected[met]["name"]
                    and arguments == expected[met]["args"]
                ):
                    met += 1
            verdicts = (
                ("exact", output == reference["expected_output"], "output differs from the expected output"),
                ("contains", reference["order_id"] in output, "order id not found"),
                ("regex", find(output) is not None, "pattern not found"),
                ("set", set(loads(output)["tags"]) == set(reference["tags"]), "sets differ"),
                ("tools", met == len(expected), "expected call missing or out of order"),
                ("steps", len(calls) <= reference["max_calls"], "too many tool calls"),
            )
            for judge_name, passed, why in verdicts:
                passes[judge_name] += passed
                verdict = "pass" if passed else "fail"
                out.write(
                    dumps(
                        {
                            "sample": name,
                            "judge": judge_name,
                            "verdict": verdict,
                            "reason": None if passed else why,
                        }
                    )
                )
                out.write(b"\n")
    return passes


if __name__ == "__main__":
    started, used = time.perf_counter(), time.process_time()
    counts = judge(*sys.argv[1:3])
    print(
        json.dumps(
            {"wall": time.perf_counter() - started, "cpu": time.process_time() - used, "passes": counts}
        )
    )
