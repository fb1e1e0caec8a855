"""Guards one by one, where the corpus does not single them out."""

from __future__ import annotations

import functools
import marshal
import os
import subprocess
import sys
import textwrap
from dataclasses import asdict

import pytest
from adjudge_sandbox import FrozenModule, Limits, Program, SandboxError, SandboxPool, Setup, Status, Tool
from adjudge_sandbox.frames import framed
from adjudge_sandbox.language.gate import Gate
from adjudge_sandbox.language.guards import Own, read_attribute
from adjudge_sandbox.language.modules import exported
from adjudge_sandbox.origin import open_origin
from adjudge_sandbox.setup import Order


def test_name_that_is_a_kind_of_text_is_refused():
    class Text(str):
        def startswith(self, *_):
            return False

    with pytest.raises(TypeError, match="plain str"):
        read_attribute(len, Text("__self__"))


@pytest.mark.parametrize("name", ["os", "sys", "_strptime", "time", "warnings", "json.decoder"])
def test_gate_gives_no_real_module(name):
    gate = Gate(Own(), {})
    try:
        given = gate.import_module(name, fromlist=("x",))
    except ModuleNotFoundError:
        return
    assert type(given).__module__ == "sandbox"
    assert not hasattr(given, "__name__")


def test_from_import_does_not_fall_back_to_the_real_submodule(run):
    for line in ("from json import decoder", "from urllib import request", "from collections import _sys"):
        outcome = run(f"def score(output):\n    try:\n        {line}\n    except ValueError:\n        pass\n")
        assert outcome.error.type == "ImportError"


def test_caches_of_the_library_keep_no_object_of_an_input(run):
    source = textwrap.dedent("""
        from urllib.parse import urlsplit

        class Kept:
            def decode(self, *rest):
                return "http://a/b"
            def __hash__(self):
                return 1
            def __eq__(self, other):
                raise ValueError("still here")

        def score(output):
            return urlsplit(Kept()).netloc
    """)
    assert run(source).error.message == "a Kept is no URL"


def test_wraps_copies_nothing(value):
    before = "import functools\nclass H:\n    pass\ndef f():\n    pass"
    assert value("return functools.wraps(f, assigned=('x',))(H()).__class__.__name__", before=before) == "H"
    real = exported(Own(), __import__("random").Random())["functools"]["wraps"]

    class Target:
        pass

    real(functools.partial, assigned=("func",))(Target)
    assert not hasattr(Target, "func")


def test_own_names_reach_nothing(run):
    for expression in (
        "json._default_decoder",
        "re.compile('a')._x",
        "collections._sys",
        "output._formatter_parser",
    ):
        outcome = run(f"import collections, json, re\ndef score(output):\n    return {expression} and 1\n")
        assert outcome.error.type == "AttributeError"


def test_private_name_is_no_attribute_of_the_library(value):
    class Loud:
        _secret = 1

    assert value("return [hasattr(output, '_x'), getattr(output, '_formatter_parser', 3)]") == [False, 3]
    with pytest.raises(AttributeError):
        read_attribute(Loud(), "_secret")


@pytest.mark.parametrize("handler", ["except:", "except BaseException:"])
def test_bare_except_leaves_the_deadline_alone(pool, program, handler):
    loop = "        while True:\n            pass\n"
    source = f"def score(output):\n    try:\n{loop}    {handler}\n        print('caught')\n"
    outcome = pool.run(program(source, timeout=0.1, grace=5.0), [{"output": ""}])[0]
    assert (outcome.status, outcome.printed) == (Status.TIMEOUT, "")


def test_soft_deadline_says_so(pool, program):
    source = "def score(output):\n    print('began')\n    while True:\n        pass\n"
    outcome = pool.run(program(source, timeout=0.1, grace=5.0), [{"output": ""}])[0]
    assert (outcome.status, outcome.printed) == (Status.TIMEOUT, "began\n")
    assert outcome.error.message == "not done after 0.1 s"


def test_swallowed_deadline_is_a_timeout(pool, program):
    source = (
        "class Swallow:\n    def __enter__(self):\n        return self\n"
        "    def __exit__(self, *error):\n        return True\n"
        "def score(output):\n    with Swallow():\n        while True:\n            pass\n"
        "    return 'escaped'\n"
    )
    outcome = pool.run(program(source, timeout=0.1, grace=5.0), [{"output": ""}])[0]
    assert outcome.status is Status.TIMEOUT


def test_hard_deadline_is_kept(pool, program):
    script = """
from adjudge_sandbox import Limits, Program, SandboxPool
source = "def score(output):\\n    return sum(range(10 ** 12))\\n"
program = Program(source, parameters=("output",), limits=Limits(timeout=0.1, grace=0.1))
with SandboxPool(workers=1) as pool:
    print(pool.run(program, [{"output": ""}])[0].status)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "timeout\n"


def test_worker_ends_after_a_timeout():
    limits = asdict(Limits(timeout=0.1))
    source = "def score(output):\n    while output:\n        pass\n    return 1\n"
    content = {"source": source, "function": "score", "parameters": ("output",), "needs": (), "tools": ()}
    batch = [(0, (marshal.dumps(1),)), (1, (marshal.dumps(0),))]
    origin = open_origin(Setup(), 60)
    child = origin.worker(Order(256 << 20, 60))
    try:
        child.channel.settimeout(30)
        for body in (b"L" + marshal.dumps({**content, "limits": limits}), b"B" + marshal.dumps(batch)):
            child.channel.sendall(framed(body))
        said = b"".join(iter(lambda: child.channel.recv(1 << 16), b""))
    finally:
        child.end()
        origin.close()
    assert said.count(b'"id":0') == 1
    assert b'"id":1' not in said


def test_nothing_is_left_of_an_input(pool, program):
    source = textwrap.dedent("""
        try:
            import os
        except ImportError:
            os = None

        def score(output):
            global SEEN
            try:
                return [SEEN, os]
            except NameError:
                SEEN = output
            return os
    """)
    outcomes = pool.run(program(source), [{"output": n} for n in range(5)])
    assert [(outcome.value, outcome.error) for outcome in outcomes] == [(None, None)] * 5


def test_generator_in_a_cycle_is_closed_in_its_own_time(pool, program):
    source = textwrap.dedent("""
        def endless():
            try:
                yield 1
            finally:
                while True:
                    pass

        def score(output):
            if output:
                cycle = [endless()]
                cycle.append(cycle)
                next(cycle[0])
            return len([[n] for n in range(20000)])
    """)
    inputs = [{"output": number == 1} for number in range(4)]
    outcomes = pool.run(program(source, timeout=0.3), inputs)
    assert [outcome.status for outcome in outcomes] == [Status.OK, Status.TIMEOUT, Status.OK, Status.OK]


def test_context_variables_are_not_left(tmp_path, monkeypatch):
    (tmp_path / "house_memory.py").write_text(
        "import contextvars\n_seen = contextvars.ContextVar('seen', default=0)\n"
        "def recall():\n    return _seen.get()\ndef remember(value):\n    _seen.set(value)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    setup = Setup(extra=(FrozenModule("memory", "house_memory", ("recall", "remember")),))
    source = (
        "import memory\ndef score(output):\n    memory.remember(memory.recall() + 1)\n"
        "    return memory.recall()\n"
    )
    with SandboxPool(workers=1, setup=setup) as opened:
        outcomes = opened.run(Program(source, parameters=("output",)), [{"output": ""}] * 3)
    assert [outcome.value for outcome in outcomes] == [1, 1, 1]


FLOOD = """
from adjudge_sandbox import Limits, Program, SandboxPool, Setup
source = '''
import os, signal
def score(output):
    signal.setitimer(signal.ITIMER_REAL, 0)
    channel = max(fd for fd in range(3, 20) if is_open(fd))
    while True:
        os.write(channel, bytes((0, 0, 0, 2, 91, 93)))
def is_open(fd):
    try:
        os.write(fd, b"")
        return True
    except OSError:
        return False
'''
program = Program(source, parameters=("output",), limits=Limits(timeout=0.2, grace=0.2))
with SandboxPool(workers=1, isolation="allow_degraded", setup=Setup(plain=True)) as pool:
    print(pool.run(program, [{"output": ""}])[0].status)
"""


def test_frames_without_answers_buy_no_time():
    done = subprocess.run(
        [sys.executable, "-c", FLOOD], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "timeout\n", done.stderr


START = """
import os, sys
from adjudge_sandbox import Program, SandboxPool, Setup
import multiprocess
source = '''
import multiprocess, os
def score(output):
    key = bytes(multiprocess.current_process().authkey).hex()
    return [key, dict(os.environ)]
'''
setup = Setup(plain=True, preload=("multiprocess",), off=frozenset({"environment"}))
with SandboxPool(workers=1, isolation="allow_degraded", setup=setup) as pool:
    key, environment = pool.run(Program(source, parameters=("output",)), [{"output": ""}])[0].value
assert key != bytes(multiprocess.current_process().authkey).hex(), "the host's key"
assert set(environment) <= {"PYTHONHASHSEED", "LC_CTYPE"}, environment
"""


def test_start_is_clean():
    environment = {**os.environ, "SOME_API_KEY": "secret"}
    done = subprocess.run(
        [sys.executable, "-c", START], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_tool_that_is_not_listed_is_refused():
    program = Program(
        "def score(output):\n    return tools.gather([('shell', {})])\n",
        parameters=("output",),
        tools=("llm",),
    )
    with SandboxPool(workers=1) as pool:
        outcome = pool.run(
            program, [{"output": ""}], {"shell": Tool(lambda: "ran"), "llm": Tool(lambda: "")}
        )[0]
    assert outcome.error.type == "ToolNotAllowed"


def test_extra_modules_are_audited(monkeypatch, tmp_path):
    (tmp_path / "leaky_house.py").write_text("import os\nclass Words:\n    tool = os\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    setup = Setup(extra=(FrozenModule("house", "leaky_house", ("Words",)),))
    program = Program("def score(output):\n    return 1\n", parameters=("output",))
    with (
        SandboxPool(workers=1, setup=setup) as pool,
        pytest.raises(SandboxError, match=r"house\.Words\.tool: a module"),
    ):
        pool.check(program)


def test_limits_reach_the_worker():
    source = "def score(output):\n    raise ValueError('x' * 100)\n"
    program = Program(source, parameters=("output",), limits=Limits(error_text=10))
    with SandboxPool(workers=1) as pool:
        assert pool.run(program, [{"output": ""}])[0].error.message == "x" * 10


def test_memory_beyond_the_limit_is_told_as_such(pool, program):
    source = textwrap.dedent("""
        def score(output):
            return len([0] * 10 ** 9)
    """)
    assert pool.run(program(source), [{"output": ""}])[0].status is Status.MEMORY
