#!/usr/bin/env python3
"""Tunes a model with Apache TVM's MetaSchedule, for bench/compare --peers tvm_tuned.

Writes the schedules that it measured into the folder DATABASE, with logs in DATABASE/logs; hand it to
bench/compare as --tvm-database. Where the folder has a database, the search goes on from it. Needs the
packages of tools/requirements-tvm.txt.

Every task (a fused operator; alike ones count once) gets a share of the trials, and what is left goes
where the most time can be saved. TVM's evolutionary search proposes schedules, its XGBoost model ranks
them, and the best are built and timed on this machine: nothing else should run on it. The search
follows --seed, but as times steer it, two runs seldom find the same.

Schedules reach the database in the second round of their task, or at the end. The status is 0 when it
has some, 1 when tuning failed, and 2 when MODEL or an option is wrong.
"""

import argparse
import logging
import os
import sys
import time
from pathlib import Path

import tvm_graph

LOGGER = "tvm.s_tir.meta_schedule"
MOST_IN_A_ROUND = 64
FEWEST_IN_A_ROUND = 4


def fail(message, status=1):
    print(f"tvm_tune: error: {message}", file=sys.stderr)
    sys.exit(status)


def build(module, target, _parameters):
    """TVM's own function for this first parses every intrinsic it has, 15 seconds in each process.

    None of them computes in f32 on x86-64.
    """
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)
    return tvm.tirx.build(module, target=target)


def telling_runner(total):
    """TVM's runner, which also tells how far tuning is.

    A callback of the scheduler would be asked too late: a task's first results reach it when it is the
    task's turn again, after those of all others.
    """
    from tvm.ir.utils import derived_object
    from tvm.s_tir.meta_schedule import runner

    @derived_object
    class TellingRunner(runner.PyRunner):
        def __init__(self):
            super().__init__()
            self.inner = runner.LocalRunner(
                timeout_sec=10, evaluator_config=runner.EvaluatorConfig(number=1, min_repeat_ms=50)
            )
            self.start = time.monotonic()
            self.timed = 0

        def run(self, inputs):
            results = self.inner.run(inputs)
            self.timed += len(inputs)
            say(f"{self.timed} of {total} schedules timed, {time.monotonic() - self.start:.0f} s")
            return results

    return TellingRunner()


def say(text):
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)


def tune(found, database, options):
    from tvm.s_tir import meta_schedule

    share = options.trials // max(len(found), 1)
    in_a_round = min(max(share, FEWEST_IN_A_ROUND), MOST_IN_A_ROUND)
    contexts, weights = meta_schedule.relax_integration.extracted_tasks_to_tune_contexts(
        found,
        str(options.database),
        strategy=meta_schedule.search_strategy.EvolutionarySearch(
            population_size=options.population
        ),
        num_threads=options.threads,
        seed=options.seed,
    )
    meta_schedule.tune.tune_tasks(
        tasks=contexts,
        task_weights=weights,
        work_dir=str(options.database),
        max_trials_global=options.trials,
        num_trials_per_iter=in_a_round,
        builder=meta_schedule.builder.LocalBuilder(
            max_workers=options.threads, timeout_sec=30, f_build=build
        ),
        runner=telling_runner(options.trials),
        database=database,
    )


def load_model(path):
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError as error:
        fail(f"the Python package '{error.name}' is not installed; run tools/setup")
    try:
        return onnx.load(path)
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}", 2)
    except DecodeError:
        fail(f"{path} is not an ONNX model", 2)


def need_packages():
    try:
        import cloudpickle, psutil, scipy, tvm, xgboost
    except ImportError as error:
        fail(f"the Python package '{error.name}' is not installed; "
             "run pip install --no-deps -r tools/requirements-tvm.txt")


def positive(text):
    return max(1, int(text))


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="tvm_tune", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("database", metavar="DATABASE", type=Path)
    parser.add_argument("--threads", type=positive, default=len(os.sched_getaffinity(0)),
                        metavar="N", help="threads of the tuned model (default: the cores)")
    parser.add_argument("--trials", type=positive, default=1000, metavar="N",
                        help="schedules to build and time, for all tasks together (default 1000)")
    parser.add_argument("--population", type=positive, default=128, metavar="N",
                        help="schedules that the search breeds before it times the best; TVM's own "
                             "default is 512 (default 128)")
    parser.add_argument("--seed", type=positive, default=1, metavar="N", help="of the search")
    return parser.parse_args()


def main():
    options = parse_arguments()
    need_packages()
    loaded = load_model(options.model)
    try:
        options.database.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{options.database} cannot be made: {error.strerror}", 2)
    # TVM's log of the search is long; it goes to DATABASE/logs alone.
    logging.getLogger(LOGGER).setLevel(logging.ERROR)
    target = tvm_graph.target(options.threads)
    try:
        found = tvm_graph.tasks(tvm_graph.tunable_module(loaded, target), target)
        database = tvm_graph.open_database(options.database)
        say(f"{len(found)} tasks, {tvm_graph.count_tuned(found, target, database)} in the database")
        tune(found, database, options)
        tuned = tvm_graph.count_tuned(found, target, database)
    except Exception as error:
        lines = str(error).strip().splitlines()
        fail(f"Apache TVM failed: {lines[-1] if lines else type(error).__name__}")
    say(f"{options.database}: schedules for {tuned} of {len(found)} tasks")
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if tuned == 0:
        fail(f"no schedule could be measured; see {options.database}/logs")


if __name__ == "__main__":
    main()
