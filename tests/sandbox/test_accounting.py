"""Every input gets exactly one outcome, and the right one, whatever becomes of the workers."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from adjudge_sandbox import Inputs, Limits, Program, SandboxError, SandboxPool, Setup, Status

ECHO = "def score(output):\n    return output\n"
PLAIN = Setup(plain=True, preload=("ctypes",))
DYING = """
import os
def score(output):
    if output in (3, 50):
        os._exit(1)
    return output
"""


def values(outcomes):
    return [outcome.value for outcome in outcomes]


def children() -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        if parent == os.getpid():
            found.add(int(entry.name))
    return found


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_crash_is_charged_to_the_input_that_caused_it(program):
    with SandboxPool(workers=2, isolation="allow_degraded", setup=PLAIN) as pool:
        outcomes = pool.run(program(DYING), [{"output": number} for number in range(100)])
    assert [place for place, each in enumerate(outcomes) if each.status is Status.CRASHED] == [3, 50]
    assert [each.value for each in outcomes if each.status is Status.OK] == [
        n for n in range(100) if n not in (3, 50)
    ]


SLOW = """
def score(output):
    while output % 10 == 3:
        pass
    return output
"""
STUBBORN = """
def score(output):
    if output % 10 == 3:
        return sum(range(10 ** 12))
    return output
"""
HUNGRY = """
def score(output):
    if output % 10 == 3:
        return len([0] * 10 ** 9)
    return output
"""


@pytest.mark.parametrize(
    ("source", "status"), [(SLOW, Status.TIMEOUT), (STUBBORN, Status.TIMEOUT), (HUNGRY, Status.MEMORY)]
)
def test_bad_inputs_cost_no_other(pool, program, source, status):
    outcomes = pool.run(program(source, timeout=0.1, grace=0.1), [{"output": number} for number in range(40)])
    assert [each.status for each in outcomes] == [status if n % 10 == 3 else Status.OK for n in range(40)]
    assert [each.value for each in outcomes if each.value is not None] == [
        n for n in range(40) if n % 10 != 3
    ]


def test_workers_killed_at_random_lose_and_double_nothing(program):
    calm = program("def score(output):\n    return [sum(range(3000)), output][1]\n")
    stopped = threading.Event()
    kills = 0

    def kill(pool: SandboxPool) -> None:
        nonlocal kills
        source = random.Random(3)
        while not stopped.wait(source.uniform(0.02, 0.08)):
            for pid in pool.pids()[:1]:
                kills += 1
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue

    with SandboxPool(workers=2, quarantine_after=0) as pool:
        killer = threading.Thread(target=kill, args=(pool,))
        killer.start()
        try:
            for _ in range(3):
                assert values(pool.run(calm, [{"output": n} for n in range(4000)])) == list(range(4000))
        finally:
            stopped.set()
            killer.join()
    assert kills > 3


def test_broken_protocol_is_charged_and_others_go_on(program):
    source = """
import os
def score(output):
    if output == 5:
        for fd in range(3, 64):
            try:
                os.write(fd, b"\\x00\\x00\\x00\\x02no")
            except OSError:
                pass
        while True:
            pass
    return output
"""
    with SandboxPool(workers=1, isolation="allow_degraded", setup=PLAIN) as pool:
        outcomes = pool.run(program(source), [{"output": number} for number in range(20)])
    assert [each.status for each in outcomes] == [
        Status.PROTOCOL if number == 5 else Status.OK for number in range(20)
    ]


def test_forged_answers_stay_within_the_program(program):
    source = """
import os
def score(output):
    body = b'[{"id":3,"ok":"forged"}]'
    os.write(max(fd for fd in range(3, 20) if alive(fd)), len(body).to_bytes(4, "big") + body)
    return output
def alive(fd):
    try:
        os.write(fd, b"")
        return True
    except OSError:
        return False
"""
    with SandboxPool(workers=1, isolation="allow_degraded", setup=PLAIN) as pool:
        outcomes = pool.run(program(source), [{"output": number} for number in range(6)])
        assert len(outcomes) == 6
        assert values(pool.run(program(ECHO), [{"output": 1}])) == [1]


def test_program_that_keeps_killing_is_given_up(program):
    always = program(STUBBORN, timeout=0.05, grace=0.05)
    with SandboxPool(workers=1, quarantine_after=3) as pool:
        outcomes = pool.run(always, [{"output": 3}] * 8)
        again = pool.run(always, [{"output": 1}])[0]
        other = pool.run(program(ECHO), [{"output": 1}])[0]
    assert [each.status for each in outcomes] == [Status.TIMEOUT] * 3 + [Status.QUARANTINED] * 5
    assert (again.status, other.status) == (Status.QUARANTINED, Status.OK)
    assert (
        "3 processes in a row had to be killed; the last reason: not done after 0.05 s" in again.error.message
    )


def test_results_in_between_keep_a_program_out_of_quarantine(program):
    sometimes = program(STUBBORN, timeout=0.05, grace=0.05)
    with SandboxPool(workers=1, quarantine_after=3) as pool:
        outcomes = pool.run(sometimes, [{"output": 3 if n % 2 else 1} for n in range(10)])
    assert Status.QUARANTINED not in [each.status for each in outcomes]


def test_workers_are_replaced_after_their_share(program):
    with SandboxPool(workers=1, batch=10, recycle_after=30) as pool:
        seen = set()
        for outcome in pool.stream(program(ECHO), [{"output": n} for n in range(200)]):
            assert outcome.status is Status.OK
            seen.update(pool.pids())
    assert len(seen) >= 5


def test_worker_that_grew_is_replaced(program):
    keeps = program("def score(output):\n    return len('x' * output)\n")
    with SandboxPool(workers=1, batch=1) as pool:
        pool.run(keeps, [{"output": 1}])
        before = pool.pids()
        pool.run(keeps, [{"output": 120_000_000}])
        outcomes = pool.run(keeps, [{"output": 5}] * 3)
        assert values(outcomes) == [5, 5, 5]
        assert pool.pids() != before


def test_tenants_and_programs_never_share_a_worker(program):
    with SandboxPool(workers=1) as pool:
        for each in (program(ECHO), program(ECHO, tenant="b"), program(ECHO + "\n"), program(ECHO)):
            assert values(pool.run(each, [{"output": 1}])) == [1]
        assert len(set(pool.pids())) == 3


def test_several_threads_and_programs_at_once(program):
    answers = {}

    def work(number: int) -> None:
        source = f"def score(output):\n    return output * {number % 3}\n"
        answers[number] = values(pool.run(program(source), [{"output": n} for n in range(300)]))

    with SandboxPool(workers=2, processes=4) as pool:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: [n * (number % 3) for n in range(300)] for number in range(8)}


def test_inputs_are_encoded_once_for_all_programs(pool, program):
    inputs = [Inputs({"output": "abc", "trace": [number]}) for number in range(10)]
    first = pool.run(program("def score(output):\n    return len(output)\n"), inputs)
    encoded = inputs[0].encoded("output")
    second = pool.run(program("def score(output, trace):\n    return [output, trace]\n"), inputs)
    assert values(first) == [3] * 10
    assert values(second) == [["abc", [number]] for number in range(10)]
    assert inputs[0].encoded("output") is encoded


def test_input_that_is_no_json_is_an_error_of_its_own(pool, program):
    outcomes = pool.run(program(ECHO), [{"output": 1}, {"output": object()}, {"output": 3}])
    assert [each.status for each in outcomes] == [Status.OK, Status.ERROR, Status.OK]
    assert outcomes[1].error.message == "output can't be sent to the sandbox: unmarshallable object"


def test_huge_input_is_an_error_of_its_own(pool, program):
    outcomes = pool.run(
        program("def score(output):\n    return len(output)\n"),
        [{"output": "x" * size} for size in (5, 9 << 20, 3 << 20)],
    )
    assert [each.value for each in outcomes] == [5, None, 3 << 20]
    assert "more than 8388608 bytes" in outcomes[1].error.message


def test_inputs_are_drawn_no_faster_than_needed(program):
    drawn = 0

    def endless():
        nonlocal drawn
        while True:
            drawn += 1
            yield {"output": drawn}

    with SandboxPool(workers=1, batch=10) as pool:
        stream = pool.stream(program(ECHO), endless())
        assert [next(stream).value for _ in range(50)] == list(range(1, 51))
        stream.close()
        assert drawn <= 50 + 30
        assert values(pool.run(program(ECHO), [{"output": 7}])) == [7]


def test_async_runs_beside_the_event_loop(program):
    async def both():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        slow = program("def score(output):\n    return sum(range(300000)) and output\n")
        results = await asyncio.gather(*[pool.run_async(slow, [{"output": n}] * 20) for n in range(3)])
        ticking.cancel()
        return ticks, [values(each) for each in results]

    with SandboxPool(workers=1) as pool:
        ticks, results = asyncio.run(both())
    assert results == [[n] * 20 for n in range(3)]
    assert ticks > 2


def test_cancelled_task_ends_its_workers(program):
    async def give_up():
        task = asyncio.create_task(pool.run_async(program(SLOW, timeout=30), [{"output": 3}]))
        while not pool.pids():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with SandboxPool(workers=1) as pool:
        began = time.monotonic()
        asyncio.run(give_up())
        assert pool.pids() == []
    assert time.monotonic() - began < 20


def test_closed_pool_leaves_no_process_and_no_descriptor(program):
    before, open_before = children(), descriptors()
    with SandboxPool(workers=2) as pool:
        pool.run(program(ECHO), [{"output": n} for n in range(500)])
        pool.run(program(SLOW, timeout=0.05, grace=0.05), [{"output": 3}])
        assert children() - before
    assert children() - before == set()
    assert descriptors() == open_before
    with pytest.raises(SandboxError, match="closed"):
        pool.run(program(ECHO), [{"output": 1}])


def test_lost_origin_is_replaced(program):
    with SandboxPool(workers=1) as pool:
        assert values(pool.run(program(ECHO), [{"output": 1}])) == [1]
        (origin,) = children() & {pool._origin._process.pid}
        os.kill(origin, signal.SIGKILL)
        assert values(pool.run(program(ECHO, tenant="b"), [{"output": n} for n in range(9)])) == list(
            range(9)
        )
        assert values(pool.run(program(ECHO), [{"output": 1}])) == [1]


def test_spawned_workers_serve_where_forking_is_missing(program):
    before = children()
    with SandboxPool(workers=1, setup=Setup(fork=False)) as pool:
        outcomes = pool.run(program(ECHO), [{"output": n} for n in range(20)])
        slow = pool.run(program(SLOW, timeout=0.05, grace=0.05), [{"output": 3}])[0]
    assert values(outcomes) == list(range(20))
    assert {outcome.level for outcome in outcomes} == {"A"}
    assert slow.status is Status.TIMEOUT
    assert children() - before == set()


def test_forked_host_cannot_use_or_end_the_pool_of_its_parent(program):
    script = """
import os, sys
from adjudge_sandbox import Program, SandboxError, SandboxPool
program = Program("def score(output): return output", parameters=("output",))
with SandboxPool(workers=1) as pool:
    pool.run(program, [{"output": 1}])
    pid = os.fork()
    if pid == 0:
        try:
            pool.run(program, [{"output": 1}])
        except SandboxError as error:
            pool.close()
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert pool.run(program, [{"output": 2}])[0].value == 2
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_killed_host_leaves_no_worker(program):
    script = """
import os, signal, sys, time
from adjudge_sandbox import Limits, Program, SandboxPool
pool = SandboxPool(workers=2)
source = "def score(output):\\n    while output: pass\\n    return 1"
busy = Program(source, parameters=("output",), limits=Limits(timeout=60))
import threading
threading.Thread(target=pool.run, args=(busy, [{"output": 1}] * 4), daemon=True).start()
pool.run(Program("def score(output): return 1", parameters=("output",)), [{"output": 0}])
while len(pool.pids()) < 2:
    time.sleep(0.01)
time.sleep(0.2)
print(*pool.pids(), pool._origin._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=False)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) >= 3
    deadline = time.monotonic() + 20
    while any(_runs(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [pid for pid in pids if _runs(pid)] == []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def test_main_module_of_the_host_is_not_run_again(tmp_path):
    script, log = tmp_path / "host.py", tmp_path / "log"
    script.write_text(
        f"with open({str(log)!r}, 'a') as log:\n    print(__name__, file=log)\n"
        "if __name__ == '__main__':\n"
        "    from adjudge_sandbox import Program, SandboxPool\n"
        "    p = Program('def score(output): return 1', parameters=('output',))\n"
        "    with SandboxPool(workers=1) as pool:\n        print(pool.run(p, [{'output': 1}])[0].value)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert (done.stdout, log.read_text()) == ("1\n", "__main__\n")


def test_printed_text_is_kept_up_to_its_bound(pool, program):
    body = "    print('a', 1, sep='-', end='!')\n    print('x' * output)\n    return 1\n"
    source = "print('top')\ndef score(output):\n" + body
    short, long = pool.run(program(source), [{"output": 3}, {"output": 100_000}])
    assert short.printed == "top\na-1!xxx\n"
    assert (len(long.printed), long.dropped) == (64 * 1024, 100_000 + 9 - 64 * 1024)


def test_times_are_told(pool, program):
    outcome = pool.run(program("def score(output):\n    return sum(range(2000000)) > 0\n"), [{"output": ""}])[
        0
    ]
    assert outcome.seconds > 0.001
    assert outcome.cpu_seconds > 0.001


def test_soak(program, thorough):
    count = 100_000 if thorough else 6_000
    source = (
        "def score(output):\n    x = [output] * 50\n    if output % 1000 == 7:\n        raise ValueError\n"
        "    return {'n': len(x)}\n"
    )
    with SandboxPool(workers=2, recycle_after=2000) as pool:
        pool.run(program(source), [{"output": n} for n in range(1000)])
        before, processes = descriptors(), len(children())
        answered = bad = 0
        for outcome in pool.stream(program(source), ({"output": n} for n in range(count))):
            answered += 1
            bad += outcome.status is not Status.OK
        assert (answered, bad) == (count, count // 1000)
        assert len(children()) <= processes + 1
        assert abs(descriptors() - before) <= 4


def test_memory_of_a_worker_stays_flat(program):
    source = "import re\ndef score(output):\n    return [m.group() for m in re.finditer('a', output)]\n"
    with SandboxPool(workers=1) as pool:
        pool.run(program(source), [{"output": "abc" * 50}] * 2000)
        (pid,) = pool.pids()
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        pool.run(program(source), [{"output": "abc" * 50}] * 6000)
        assert pool.pids() == [pid]
        assert int(Path(f"/proc/{pid}/statm").read_text().split()[1]) - resident < 1000


def test_too_short_timeout_is_refused():
    with pytest.raises(ValueError, match=r"0\.05 to 300"):
        Program("", limits=Limits(timeout=0.01))
