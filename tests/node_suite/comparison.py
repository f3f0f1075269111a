"""Whether an output is the expected one: type and shape exactly, integers and bools exactly, reals
within |error| <= atol + rtol |expected|; NaNs and infinities have to be at the same places."""

import numpy


def difference(actual, expected, rtol, atol):
    """What is wrong, one phrase, or ""."""
    if actual.dtype != expected.dtype:
        return f"type {actual.dtype} instead of {expected.dtype}"
    if actual.shape != expected.shape:
        return f"shape {list(actual.shape)} instead of {list(expected.shape)}"
    if expected.dtype.kind == "f":
        with numpy.errstate(all="ignore"):
            right = (numpy.abs(actual - expected) <= atol + rtol * numpy.abs(expected))
        right &= numpy.isfinite(expected)
        right |= actual == expected
        right |= numpy.isnan(actual) & numpy.isnan(expected)
    else:
        right = actual == expected
    wrong = numpy.argwhere(~numpy.atleast_1d(right))
    if len(wrong) == 0:
        return ""
    at = tuple(wrong[0])
    values = numpy.atleast_1d(actual)[at], numpy.atleast_1d(expected)[at]
    return (f"{len(wrong)} of {expected.size} elements, first {list(map(int, at))}: "
            f"{values[0]} instead of {values[1]}")
