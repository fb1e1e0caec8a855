"""Intervals for rates."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float] | None:
    """Wilson's score interval of a rate (E. B. Wilson, 1927, JASA 22:209-212).

    Args:
        successes: how often it happened.
        trials: how often it could have.
        confidence: 0 to 1.

    Returns:
        Lower and upper bound; None without trials.
    """
    if trials == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    spread = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # Exactly 0 without any success and exactly 1 without any failure, whatever rounding makes of it.
    low = (centre - spread) / scale if successes else 0.0
    high = (centre + spread) / scale if successes < trials else 1.0
    return low, high
