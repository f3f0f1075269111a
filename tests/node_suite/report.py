"""What a run of the suite found, as text and as data."""

from collections import Counter, defaultdict

from execution import STATUSES


def by_operator(results):
    """Operator -> {status: number}. Operators of other domains are DOMAIN.NAME."""
    counts = defaultdict(Counter)
    for result in results:
        counts[operator_name(result)][result.status] += 1
    return dict(sorted(counts.items()))


def operator_name(result):
    name = result.operator or "(models)"
    return f"{result.domain}.{name}" if result.domain else name


def text(results, surprises, verbose):
    """Lines of the report: operators, then cases that are worth a look, then the sum."""
    lines = []
    if verbose:
        for result in results:
            lines.append(_case_line(result))
        lines.append("")
    counts = by_operator(results)
    width = max([len(name) for name in counts], default=0)
    lines.append(f"{'operator':{width}}" + "".join(f"{status:>9}" for status in STATUSES))
    for name, of in counts.items():
        lines.append(f"{name:{width}}" + "".join(f"{of[status] or '':>9}" for status in STATUSES))
    total = Counter(result.status for result in results)
    lines.append(f"{'all':{width}}" + "".join(f"{total[status]:>9}" for status in STATUSES))
    if surprises:
        lines.append("\nNot as expected:")
        for result, what in surprises:
            lines.append(f"  {_case_line(result)}\n      {what}")
    return lines


def as_json(results, surprises):
    unexpected = {result.name: what for result, what in surprises}
    return {
        "summary": {status: sum(result.status == status for result in results)
                    for status in STATUSES},
        "operators": {name: {status: of[status] for status in STATUSES}
                      for name, of in by_operator(results).items()},
        "cases": [{**vars(result), "unexpected": unexpected.get(result.name, "")}
                  for result in results],
    }


def _case_line(result):
    message = f": {result.message}" if result.message else ""
    return f"{result.status:8} {result.name}{message}"
