"""The modules that untrusted code can import, name by name.

A name is listed when what it gives can neither be changed nor leads to anything that is not listed;
`audit.py` proves it.
"""

from __future__ import annotations

import collections.abc
import copy
import decimal
import functools
import importlib
import math
import random
import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from adjudge_sandbox.language import typing_names
from adjudge_sandbox.language.classes import dataclass_maker, named_tuple_maker
from adjudge_sandbox.language.guards import Own

_LISTED: Mapping[str, str] = {
    "re": "compile search match fullmatch split findall finditer sub subn escape error Pattern Match A ASCII"
    " I IGNORECASE M MULTILINE S DOTALL X VERBOSE U UNICODE NOFLAG",
    "json": "loads dumps JSONDecodeError",
    "statistics": "mean fmean geometric_mean harmonic_mean median median_low median_high median_grouped mode"
    " multimode quantiles pstdev pvariance stdev variance correlation covariance linear_regression"
    " StatisticsError",
    "datetime": "date datetime time timedelta timezone UTC MINYEAR MAXYEAR",
    "collections": "Counter OrderedDict defaultdict deque ChainMap",
    "collections.abc": " ".join(collections.abc.__all__),
    "itertools": "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile"
    " filterfalse groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest",
    "difflib": "SequenceMatcher get_close_matches ndiff unified_diff context_diff",
    "string": "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits printable"
    " punctuation whitespace Template",
    "decimal": "Decimal DecimalException " + " ".join(
        name for name, value in vars(decimal).items()
        if name.startswith("ROUND_") or (isinstance(value, type) and issubclass(value, ArithmeticError))
    ),
    "fractions": "Fraction",
    "textwrap": "wrap fill dedent indent shorten",
    "unicodedata": " ".join(
        name for name in dir(unicodedata)
        if callable(getattr(unicodedata, name)) and not name.startswith("_") and name != "UCD"
    ),
    "html": "escape unescape",
    "base64": "b64encode b64decode standard_b64encode standard_b64decode urlsafe_b64encode urlsafe_b64decode"
    " b32encode b32decode b16encode b16decode b85encode b85decode a85encode a85decode",
    "hashlib": "md5 sha1 sha224 sha256 sha384 sha512 sha3_224 sha3_256 sha3_384 sha3_512 blake2b blake2s",
    "heapq": "heappush heappop heapify heapreplace heappushpop merge nlargest nsmallest",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "copy": "copy deepcopy",
    "contextlib": "suppress nullcontext",
    "urllib.parse": "quote quote_plus unquote unquote_plus urlencode urlparse urlsplit urlunparse urlunsplit"
    " urljoin urldefrag parse_qs parse_qsl",
    "dataclasses": "field asdict astuple replace is_dataclass",
    "functools": "reduce partial lru_cache cache cmp_to_key",
    "operator": "add sub mul truediv floordiv mod pow neg pos abs and_ or_ xor invert lshift rshift not_"
    " truth eq ne lt le gt ge is_ is_not contains concat countOf indexOf getitem itemgetter matmul index",
    "time": "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns",
}  # fmt: skip

LAZILY_IMPORTED = frozenset(
    {"_strptime", "time", "datetime", "_datetime", "decimal", "warnings", "numbers", "re", "collections.abc"}
)
"""Modules that C code imports through the running code's own `__import__`. It takes the real one
from the interpreter afterwards, so an empty stub serves."""


def exported(own: Own, generator: random.Random) -> dict[str, dict[str, Any]]:
    """What each module gives to one worker.

    Args:
        own: the classes that the program makes.
        generator: what stands behind the functions of `random`.

    Returns:
        Attributes by module name.
    """
    modules = {name: _attributes(name, listed.split()) for name, listed in _LISTED.items()}
    modules["math"] = _public(math)
    modules["cmath"] = _public(importlib.import_module("cmath"))
    modules["typing"] = dict(typing_names.EXPORTS)
    modules["random"] = _random(generator)
    modules["collections"]["namedtuple"] = named_tuple_maker(own)
    modules["dataclasses"]["dataclass"] = dataclass_maker(own)
    modules["functools"]["wraps"] = _wraps
    for name in _CACHING.split():
        modules["urllib.parse"][name] = _of_plain_text(modules["urllib.parse"][name])
    modules["string"]["Template"] = string.Template
    modules["copy"]["deepcopy"] = _deepcopy
    for name in _MATCHING.split():
        modules["re"][name] = _plain_re(modules["re"][name])
    return modules


def _attributes(module: str, listed: list[str]) -> dict[str, Any]:
    real = importlib.import_module(module)
    return {name: getattr(real, name) for name in listed if hasattr(real, name)}


def _public(module: Any) -> dict[str, Any]:
    return {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}


_RANDOM = (
    "random uniform triangular randint choice choices randrange sample shuffle seed gauss normalvariate"
    " lognormvariate expovariate vonmisesvariate gammavariate betavariate paretovariate weibullvariate"
    " getrandbits randbytes getstate setstate"
)


def _random(generator: random.Random) -> dict[str, Any]:

    def bound(name: str) -> Callable[..., Any]:
        method = getattr(generator, name)
        return lambda *args, **kwargs: method(*args, **kwargs)

    return {"Random": random.Random, **{name: bound(name) for name in _RANDOM.split()}}


_CACHING = "urlparse urlsplit urljoin urldefrag"
"""Functions that remember what they were called with, for all inputs to come."""

_PLAIN = frozenset({str, bytes, bool, type(None)})


def _of_plain_text(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for plain arguments: an object would be kept, and asked if it equals later ones."""

    def plain(*args: Any, **kwargs: Any) -> Any:
        for argument in (*args, *kwargs.values()):
            if type(argument) not in _PLAIN:
                raise TypeError(f"a {type(argument).__name__} is no URL")
        return function(*args, **kwargs)

    return plain


_MATCHING = "compile search match fullmatch split findall finditer sub subn"
"""Functions of `re` that keep compiled patterns."""

_RE_PLAIN = frozenset({str, bytes, int, bool, re.Pattern, re.RegexFlag})


def _plain_re(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cache keys of exact types: another would tell what earlier inputs left in the cache."""

    def plain(pattern: Any, *args: Any, **kwargs: Any) -> Any:
        for argument in (pattern, *args, *kwargs.values()):
            if type(argument) not in _RE_PLAIN and not callable(argument):
                raise TypeError(f"a {type(argument).__name__} can't be given to re")
        return function(pattern, *args, **kwargs)

    return plain


def _deepcopy(x: Any) -> Any:
    """Without a memo, which holds what is copied and decides what its parts become."""
    return copy.deepcopy(x)


def _wraps(wrapped: object, **options: object) -> Callable[[Any], Any]:
    """`functools.wraps` without copying: it would write attributes of its caller's choice."""
    return functools.partial(_itself)


def _itself(wrapper: Any) -> Any:
    return wrapper
