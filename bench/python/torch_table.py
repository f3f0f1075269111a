"""The tables of torch_client.py, in Markdown.

A row is what it measured of a function: {"function", "class", "dynamic", "backends": {NAME: result}}.
"""

import rounds

OURS = "Gao2025"
NAMES = {"cpp": "C++ back end"}


def milliseconds(result):
    if "failure" in result:
        return "fails"
    return f"{result['median_ms']:.3f}" if "median_ms" in result else "right"


def ratio(row, backend):
    """Our median over a back end's; None where one of them has none."""
    ours, other = (row["backends"].get(name, {}) for name in (OURS, backend))
    if "failure" in ours or "failure" in other or "median_ms" not in ours or "median_ms" not in other:
        return None
    return ours["median_ms"] / other["median_ms"]


def summary(row):
    return row["function"] + " " + ", ".join(
        f"{name} {milliseconds(result)}" for name, result in row["backends"].items())


def table(head, rows):
    rule = ["---", "---"] + ["---:"] * (len(head) - 2)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *rows])


def times(rows, backends):
    head = ["function", "class", *[NAMES.get(name, name) for name in backends]]
    return table(head, [
        [row["function"], row["class"], *[milliseconds(row["backends"][name]) for name in backends]]
        for row in rows
    ])


def means(rows, backends):
    """Geometric means of our times over the others', by class and of all."""
    others = [name for name in backends if name != OURS]
    head = ["class", "functions", *[f"over {NAMES.get(name, name)}" for name in others]]
    kinds = list(dict.fromkeys(row["class"] for row in rows))
    groups = [(kind, [row for row in rows if row["class"] == kind]) for kind in kinds] + [("all", rows)]
    lines = []
    for kind, members in groups:
        cells = [kind, str(len(members))]
        for name in others:
            ratios = [r for r in (ratio(row, name) for row in members) if r is not None]
            of = f" ({len(ratios)})" if len(ratios) < len(members) else ""
            cells.append(f"{rounds.geometric_mean(ratios):.2f}{of}" if ratios else "")
        lines.append(cells)
    return table(head, lines)


def failures(rows):
    return "\n".join(
        f"- {row['function']}, {NAMES.get(name, name)}: {result['failure']}"
        for row in rows for name, result in row["backends"].items() if "failure" in result)


def text(rows, backends):
    parts = ["Medians in milliseconds:", times(rows, backends)]
    if OURS in backends and len(backends) > 1:
        parts += ["Geometric means of Gao2025's times over the others':", means(rows, backends)]
    failed = failures(rows)
    if failed:
        parts += ["What fails:", failed]
    return "\n\n".join(parts)
