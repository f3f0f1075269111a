"""Runs cases, several at a time, and says what became of each."""

import queue
import shutil
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from comparison import difference
from constants import constant_inputs, with_constants
from engines import ENGINES, Crashed, Options, Refused, registry
from neighbours import with_neighbours

STATUSES = ["passed", "refused", "wrong", "crashed"]


@dataclass
class Result:
    name: str
    kind: str
    operator: str
    domain: str
    status: str = "passed"
    message: str = ""
    seconds: float = 0.0
    constants: list = field(default_factory=list)  # inputs that were given as constants


def run_cases(cases, build, engine="jit", jobs=1, timeout=60, neighbours=False, options=Options()):
    """A Result per case, in their order. `neighbours`: with other operators around the case's own."""
    known = {(op["domain"], op["type"]): op["constant_operands"]
             for op in registry(build)["operators"]}
    results = [None] * len(cases)
    todo = queue.SimpleQueue()
    for i in range(len(cases)):
        todo.put(i)
    progress = _Progress(len(cases))
    errors = []

    def work():
        runner = ENGINES[engine](build, timeout, options)
        try:
            while not errors:
                try:
                    i = todo.get_nowait()
                except queue.Empty:
                    return
                results[i] = _run_case(cases[i], runner, known, neighbours)
                progress.step(cases[i].name)
        except BaseException as error:
            errors.append(error)
        finally:
            runner.close()

    threads = [threading.Thread(target=work) for _ in range(max(1, min(jobs, len(cases))))]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt as error:
        errors.append(error)
    progress.clear()
    if errors:
        raise errors[0]
    return results


def _run_case(case, engine, known, neighbours):
    result = Result(case.name, case.kind, case.operator, case.domain)
    folder = Path(tempfile.mkdtemp(prefix="node_suite_"))
    start = time.monotonic()
    try:
        model, inputs = _prepare(case, folder, known, neighbours, result)
        outputs = engine.run(model, inputs, folder)
        result.message = _compare(case, outputs)
        result.status = "wrong" if result.message else "passed"
    except Refused as error:
        result.status, result.message = "refused", str(error).replace(str(folder) + "/", "")
    except Crashed as error:
        result.status, result.message = "crashed", str(error).replace(str(folder) + "/", "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    result.seconds = round(time.monotonic() - start, 3)
    return result


def _prepare(case, folder, known, neighbours, result):
    """The model to run and the files of its inputs."""
    import onnx

    files = {name: str(Path(case.folder) / file) for name, file in case.inputs if file}
    model = onnx.load(case.model)
    arrays = {name: numpy.load(file) for name, file in files.items()}
    result.constants = sorted(constant_inputs(model, known, arrays))
    if result.constants:
        model = with_constants(model, {name: arrays[name] for name in result.constants})
    if neighbours:
        expected = {name: numpy.load(Path(case.folder) / file)
                    for name, file in case.outputs if file}
        model = with_neighbours(model, expected)
    elif not result.constants:
        return case.model, files
    path = str(folder / "model.onnx")
    onnx.save(model, path)
    return path, {name: file for name, file in files.items() if name not in result.constants}


def _compare(case, outputs):
    if len(outputs) != len(case.outputs):
        return f"{len(outputs)} outputs instead of {len(case.outputs)}"
    for (name, file), actual in zip(case.outputs, outputs):
        if not file:
            return f"output '{name}' has a type that can't be compared"
        wrong = difference(numpy.load(actual), numpy.load(Path(case.folder) / file),
                           case.rtol, case.atol)
        if wrong:
            return f"output '{name}': {wrong}"
    return ""


class _Progress:
    """One line on a terminal."""

    def __init__(self, total):
        self.total, self.done = total, 0
        self.lock = threading.Lock()
        self.terminal = sys.stderr.isatty()

    def step(self, name):
        with self.lock:
            self.done += 1
            if self.terminal:
                print(f"\r\033[K{self.done} of {self.total}: {name}"[:100], end="", file=sys.stderr,
                      flush=True)

    def clear(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
