#!/usr/bin/env python3
"""Has PyTorch compile functions and small networks with Halide, and measures autoschedulers side by side.

torch.compile's Halide back end loads the plugin Gao2025 like Halide's own autoschedulers. Every function
(bench/python/torch_functions.py, torch_networks.py) is compiled by each back end in a process of its own,
compared with what PyTorch computes in double precision, and timed in turns: the call as a program sees it,
PyTorch's own share of some 20 microseconds included.

The status is 1 when Gao2025 is refused or computes something else, and 2 when an option is wrong; what befalls
the others is printed.
"""

import argparse
import json
import os
import resource
import selectors
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import documents
import torch_table

ROOT = Path(__file__).resolve().parents[2]
OURS = torch_table.OURS
BACKENDS = (OURS, "Adams2019", "Mullapudi2016", "cpp")
CONTENDER = Path(__file__).with_name("torch_contender.py")
SEEDS = [1, 2]


class Failure(Exception):
    """Why a contender is left out."""


class Contender:
    """A process of torch_contender.py."""

    def __init__(self, name, backend, options):
        self.limit = options.time_limit
        self.log = options.keep / f"{name}.{backend}.log"
        environment = {
            **os.environ,
            "HALIDE_LIB": str(options.plugin),
            "TORCHINDUCTOR_CACHE_DIR": str(options.keep / "cache" / backend),
            "HL_NUM_THREADS": str(options.threads),
            "OMP_NUM_THREADS": str(options.threads),
            # mallopt(3): memory of results is kept, or the system's new pages would be most of many times.
            "MALLOC_MMAP_THRESHOLD_": "4294967296",
            "MALLOC_TRIM_THRESHOLD_": "4294967296",
        }
        limit = int(options.memory_limit * 1e9)
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(CONTENDER), name, backend, str(options.threads)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                env=environment, start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
            )

    def ask(self, command):
        try:
            print(json.dumps(command), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            if not waiting.select(self.limit):
                raise Failure(f"took more than {self.limit:g} s")
        line = self.process.stdout.readline()
        if not line:
            raise Failure(f"died with status {self.process.wait()}; see {self.log}")
        answer = json.loads(line)
        if "failure" in answer:
            raise Failure(f"{answer['failure']}; see {self.log}")
        return answer

    def stop(self):
        """Ends the process and the compilers that it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def kernels(backend, options):
    """Folders of what Halide compiled so far, for Inductor writes no list."""
    return set((options.keep / "cache" / backend).glob("*/*.halide"))


def keep_schedules(made, result, options, name, backend):
    """Copies the generators and their schedules to where they are found by the function's name.

    What an earlier function had compiled already is not among them.
    """
    for number, folder in enumerate(sorted(made)):
        for source, suffix in (("generate_kernel.py", "py"), ("halide_kernel.schedule.h", "schedule.h")):
            if (folder / source).exists():
                shutil.copy(folder / source, options.keep / f"{name}.{backend}.{number}.{suffix}")
    result["kernels"] = len(list(options.keep.glob(f"{name}.{backend}.*.py")))


def check_threads(made, options):
    """Refuses schedules of ours that were made without knowing the number of threads (keep_parameters.py)."""
    for folder in made:
        schedule = folder / "halide_kernel.schedule.h"
        if schedule.exists() and f"autoscheduler.parallelism={options.threads}\n" not in schedule.read_text():
            raise Failure(f"was not told of {options.threads} threads; see {schedule}")


def check(name, backend, options, result):
    """A contender that computes what it should, or None; `result` says which."""
    before = kernels(backend, options)
    contender = Contender(name, backend, options)
    try:
        result.update(contender.ask({"check": SEEDS}))
        if not result["error"] <= 1:
            raise Failure(f"computes something else: error over what passes is {result['error']:.3g}")
        if backend == OURS:
            check_threads(kernels(backend, options) - before, options)
        return contender
    except Failure as failure:
        result["failure"] = str(failure)
        contender.stop()
        return None
    finally:
        keep_schedules(kernels(backend, options) - before, result, options, name, backend)


def time_in_turns(contenders, results, options):
    """options.turns turns of each, of options.seconds in all."""
    times = {backend: [] for backend in contenders}
    for turn in range(options.turns + 1):
        for backend in list(contenders):
            try:
                answer = contenders[backend].ask({"seconds": options.seconds / options.turns})
            except Failure as failure:
                results[backend]["failure"] = str(failure)
                contenders.pop(backend).stop()
                continue
            if turn > 0:  # the first turn warms up
                times[backend] += answer["ms"]
    for backend in contenders:
        ms = times[backend]
        results[backend].update(median_ms=statistics.median(ms), min_ms=min(ms), runs=len(ms))


def measure(name, options):
    results = {backend: {} for backend in options.schedulers}
    contenders = {}
    try:
        for backend in options.schedulers:
            contender = check(name, backend, options, results[backend])
            if contender:
                contenders[backend] = contender
        if options.seconds > 0:
            time_in_turns(contenders, results, options)
    finally:
        for contender in contenders.values():
            contender.stop()
    return results


def positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="tools/torch", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="only these (default: all)")
    parser.add_argument("--list", action="store_true",
                        help="print the functions and their classes, and end")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    parser.add_argument("--schedulers", default=",".join(BACKENDS), metavar="NAMES",
                        help="autoschedulers of Halide's back end, and cpp for PyTorch's C++ one "
                             f"(default {','.join(BACKENDS)})")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of every run (default 2)")
    parser.add_argument("--seconds", type=float, default=2, metavar="S",
                        help="to time each function with each back end; 0: only compare results (default 2)")
    parser.add_argument("--turns", type=int, default=5, metavar="N", help="to time them in (default 5)")
    parser.add_argument("--time-limit", type=positive, default=180, metavar="S",
                        help="for compiling and checking a function (default 180)")
    parser.add_argument("--memory-limit", type=positive, default=8, metavar="GB",
                        help="of a process (default 8)")
    parser.add_argument("--plugin", type=Path, default=ROOT / "build" / "lib", metavar="FOLDER",
                        help="where libautoschedule_gao2025.so is (default build/lib)")
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "torch", metavar="FOLDER",
                        help="for generators, schedules and logs by function (default build/torch)")
    parser.add_argument("--reuse", action="store_true",
                        help="take what an earlier run left in --keep")
    options = parser.parse_args()
    options.schedulers = options.schedulers.split(",")
    options.keep, options.plugin = options.keep.absolute(), options.plugin.absolute()
    if options.threads < 1 or options.turns < 1 or not options.seconds >= 0:
        parser.error("--threads and --turns have to be positive, --seconds not negative")
    return parser, options


def choose(parser, options):
    # Here, as it takes seconds: --help and wrong options are answered at once.
    import torch_functions
    import torch_networks
    from torch_inputs import SUBJECTS

    for name in options.functions:
        if name not in SUBJECTS:
            parser.error(f"there is no function '{name}'; --list names all")
    return [SUBJECTS[name] for name in options.functions or SUBJECTS]


def say(text):
    print(f"torch: {text}", file=sys.stderr, flush=True)


def main():
    parser, options = parse_arguments()
    subjects = choose(parser, options)
    if options.list:
        for subject in subjects:
            print(f"{subject.kind:13} {subject.name}{' (dynamic shapes)' if subject.dynamic else ''}")
        return 0
    if OURS in options.schedulers and not (options.plugin / "libautoschedule_gao2025.so").exists():
        parser.error(f"{options.plugin} has no libautoschedule_gao2025.so; "
                     "build the target autoschedule_gao2025")
    if not options.reuse:
        shutil.rmtree(options.keep, ignore_errors=True)
    options.keep.mkdir(parents=True, exist_ok=True)
    measured = []
    for number, subject in enumerate(subjects, 1):
        start = time.monotonic()
        results = measure(subject.name, options)
        measured.append({"function": subject.name, "class": subject.kind,
                         "dynamic": subject.dynamic, "backends": results})
        say(f"{number} of {len(subjects)}: {torch_table.summary(measured[-1])}, "
            f"{time.monotonic() - start:.0f} s")
        if options.json:  # a run takes long: what is measured is kept
            content = {"threads": options.threads, "schedulers": options.schedulers,
                       "functions": measured}
            options.json.write_text(documents.text("emulsion-torch", content))
    print(torch_table.text(measured, options.schedulers))
    return int(any("failure" in row["backends"].get(OURS, {}) for row in measured))


if __name__ == "__main__":
    sys.exit(main())
