"""Runs cases of ONNX's own test suite through Emulsion and compares the outputs.

A case is passed, refused (Emulsion names a reason), wrong (an output differs) or crashed (anything else,
a timeout too). expectations.toml lists what is refused and why; everything else has to pass. The exit
code is 1 if a case is wrong or crashed or was not as expected.

Operands that are read at compile time are given as constants; see constants.py.
"""

import argparse
import fnmatch
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.append(str(ROOT / "bench" / "python"))

import documents
import expectations
import report
from cases import EXPANDED, KINDS, cases
from engines import ENGINES, Options
from execution import run_cases


def select(found, patterns, sample):
    """The cases that the patterns name: a name, a glob of names, or an operator."""
    if patterns:
        chosen = []
        for pattern in patterns:
            matching = [case for case in found
                        if case.operator == pattern or fnmatch.fnmatchcase(case.name, pattern)]
            if not matching:
                sys.exit(f"node-suite: no case and no operator is called '{pattern}'")
            chosen += matching
        found = [case for case in found if case in chosen]
    return thin_out(found, sample) if sample else found


def thin_out(found, number):
    """About `number` cases: of every operator some, evenly over its cases, expansions last."""
    of = {}
    for case in sorted(found, key=lambda case: (EXPANDED in case.name, case.name)):
        of.setdefault((case.domain, case.operator), []).append(case)
    chosen = []
    for turn in range(max(len(group) for group in of.values())):
        for _, group in sorted(of.items()):
            if turn < len(group):
                # The golden ratio visits a group evenly, whenever it is stopped.
                chosen.append(group.pop(int(turn * 0.618034 * len(group)) % len(group)))
    return sorted(chosen[:number], key=lambda case: case.name)


def main():
    parser = argparse.ArgumentParser(prog="tools/node-suite", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="CASE",
                        help="names, globs of names ('test_resize_*') or operators ('Resize'); "
                             "default: all")
    parser.add_argument("--list", action="store_true", help="list the cases and run nothing")
    parser.add_argument("--kind", action="append", choices=KINDS,
                        help="kind of cases, may be repeated (default: node)")
    parser.add_argument("--expected-to-pass", action="store_true",
                        help="leave out the cases that expectations.toml has as refused")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="only about N of them, of every operator some; always the same")
    parser.add_argument("--through", choices=ENGINES, default="jit",
                        help="how to run: units through Halide's JIT, or artifacts through the "
                             "'emulsion' program (default: %(default)s)")
    parser.add_argument("--neighbours", action="store_true",
                        help="put other operators before and after the case's own")
    parser.add_argument("--policy", default="gao2025", metavar="NAME",
                        help="fusion policy (default: %(default)s)")
    parser.add_argument("--target", default="host", metavar="NAME",
                        help="what to compile for, as 'emulsion compile' has it; host-opencl runs the "
                             "kernels of GPUs (default: %(default)s)")
    parser.add_argument("--checked", action="store_true",
                        help="keep asserts and bounds queries in what is compiled")
    parser.add_argument("--disable-pass", action="append", default=[], metavar="NAME",
                        help="leave out a pass, may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="how many cases at a time (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS",
                        help="for a case (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--verbose", action="store_true", help="a line for every case")
    parser.add_argument("--build", default=str(ROOT / "build"), help="the build folder")
    arguments = parser.parse_args()

    found = cases(arguments.build, arguments.kind or ["node"])
    everything = found
    refusals = expectations.load()
    if arguments.expected_to_pass:
        found = [case for case in found if expectations.expected(refusals, case) is None]
    chosen = select(found, arguments.patterns, arguments.sample)
    if arguments.list:
        for case in chosen:
            print(f"{case.name}  {case.operator} (opset {case.opset})")
        return 0

    results = run_cases(chosen, arguments.build, arguments.through, arguments.jobs,
                        arguments.timeout, arguments.neighbours,
                        Options(arguments.policy, arguments.checked, arguments.disable_pass,
                                arguments.target))
    surprises = [(result, what) for case, result in zip(chosen, results)
                 if (what := expectations.surprise(refusals, case, result))]
    if arguments.json:
        Path(arguments.json).write_text(
            documents.text("emulsion-node-suite", report.as_json(results, surprises)))
    print("\n".join(report.text(results, surprises, arguments.verbose)))
    stale = [] if arguments.kind else expectations.unused(refusals, everything)
    for what in stale:
        print(f"expectations.toml: no case has '{what}'")
    return 1 if surprises or stale else 0


if __name__ == "__main__":
    sys.exit(main())
