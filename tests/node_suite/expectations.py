"""What is expected to be refused, and why: expectations.toml. Every other case has to pass."""

import fnmatch
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("expectations.toml")


@dataclass
class Refusal:
    reason: str     # for people: docs/operators.md
    message: str    # a regular expression that the refusal matches
    types: list     # cases with an input or output of these ONNX types,
    operators: list  # of these operators,
    cases: list     # and of these names (globs) belong here,
    but: list       # but not those of these names (globs)

    def covers(self, case):
        return not _matches(case.name, self.but) and (
            case.operator in self.operators or _matches(case.name, self.cases)
            or any(name in self.types for name in case.types))


def _matches(name, globs):
    return any(fnmatch.fnmatchcase(name, glob) for glob in globs)


def load(path=FILE):
    """The groups of expected refusals, in order."""
    entries = tomllib.loads(Path(path).read_text()).get("refused", [])
    lists = ("types", "operators", "cases", "but")
    return [Refusal(entry["reason"], entry["message"], *(entry.get(key, []) for key in lists))
            for entry in entries]


def expected(refusals, case):
    """The first group that covers the case, or None: then it has to pass."""
    return next((refusal for refusal in refusals if refusal.covers(case)), None)


def surprise(refusals, case, result):
    """What about a case's result was not expected, one phrase, or ""."""
    refusal = expected(refusals, case)
    if result.status in ("wrong", "crashed"):
        return result.status
    if refusal is None:
        return "" if result.status == "passed" else "refused, and expectations.toml has no reason"
    if result.status == "passed":
        return f"passed, where expectations.toml says '{refusal.reason}'"
    if not re.search(refusal.message, result.message):
        return f"refused for another reason than '{refusal.reason}'"
    return ""


def unused(refusals, cases):
    """Operators, types and globs that none of all cases has."""
    operators = {case.operator for case in cases}
    types = {name for case in cases for name in case.types}
    names = [case.name for case in cases]
    found = []
    for refusal in refusals:
        found += [name for name in refusal.operators if name not in operators]
        found += [name for name in refusal.types if name not in types]
        found += [glob for glob in refusal.cases + refusal.but if not fnmatch.filter(names, glob)]
    return found
