"""One contender of torch_client.py: a process that runs one function, compiled by one back end, on command.

Usage (by torch_client.py): torch_contender.py FUNCTION BACKEND THREADS

BACKEND: `cpp`, or the name of a Halide autoscheduler. Commands come as lines of JSON on stdin, each is
answered by a line of JSON on stdout:
    {"check": [SEED, ...]}       -> {"compile_s": S, "error": E}   compiles, runs, compares with PyTorch
    {"runs": K}                  -> {"ms": [...]}                  K timed runs
    {"seconds": S}               -> {"ms": [...]}                  timed runs for about S seconds
A command that fails is answered by {"failure": TEXT}. The end of stdin ends the process.
"""

import copy
import json
import os
import sys
import time

import torch
import torch_functions
import torch_networks
from torch_inputs import SUBJECTS

CPP = "cpp"
# An error passes up to RELATIVE * |wanted| + ABSOLUTE * max(1, the largest |wanted|); integers are equal.
RELATIVE, ABSOLUTE = 1e-4, 1e-5


def configure(backend, threads):
    import torch._inductor.config as inductor

    torch.set_num_threads(threads)
    inductor.compile_threads = 1
    inductor.fx_graph_cache = False
    if backend != CPP:
        inductor.cpu_backend = "halide"
        inductor.halide.scheduler_cpu = backend


def tensors(result):
    return [result] if isinstance(result, torch.Tensor) else list(result)


def to_double(value):
    return value.double() if value.is_floating_point() else value


def eager(subject, inputs):
    """What PyTorch itself computes, in double precision."""
    call = subject.make()
    if isinstance(call, torch.nn.Module):
        call = copy.deepcopy(call).double()
    return tensors(call(*[to_double(value) for value in inputs]))


def error(got, wanted):
    """The largest error over what passes: up to 1 is right."""
    if got.shape != wanted.shape:
        return float("inf")
    if not got.is_floating_point():
        return 0.0 if torch.equal(got, wanted.to(got.dtype)) else float("inf")
    got, wanted = got.double(), wanted.double()
    finite = wanted[torch.isfinite(wanted)].abs()
    largest = max(1.0, finite.max().item()) if finite.numel() else 1.0
    same = (got == wanted) | (got.isnan() & wanted.isnan())
    over = (got - wanted).abs() / (RELATIVE * wanted.abs() + ABSOLUTE * largest)
    over = torch.where(same, 0.0, over).nan_to_num(nan=float("inf"))
    return over.max().item() if over.numel() else 0.0


class Contender:
    def __init__(self, name, backend, threads):
        configure(backend, threads)
        self.subject = SUBJECTS[name]
        self.compiled = torch.compile(
            self.subject.make(), dynamic=self.subject.dynamic, fullgraph=True
        )
        self.inputs = self.subject.tensors(self.subject.sizes[0], 1)

    def check(self, seeds):
        start = time.monotonic()
        self.compiled(*self.inputs)
        seconds = time.monotonic() - start
        worst = 0.0
        for sizes in self.subject.sizes:
            for seed in seeds:
                inputs = self.subject.tensors(sizes, seed)
                kept = [value.clone() for value in inputs]
                got = tensors(self.compiled(*inputs))
                wanted = eager(self.subject, kept)
                worst = max([worst, *map(error, got, wanted)])
        return {"compile_s": seconds, "error": worst, "version": torch.__version__}

    def timed(self, count):
        times = []
        for _ in range(count):
            start = time.perf_counter()
            self.compiled(*self.inputs)
            times.append((time.perf_counter() - start) * 1e3)
        return {"ms": times}

    def timed_for(self, seconds):
        times, end = [], time.perf_counter() + seconds
        while not times or time.perf_counter() < end:
            times += self.timed(1)["ms"]
        return {"ms": times}

    def answer(self, command):
        if "check" in command:
            return self.check(command["check"])
        if "runs" in command:
            return self.timed(command["runs"])
        return self.timed_for(command["seconds"])


def failure(exception):
    lines = [line.strip() for line in str(exception).splitlines() if line.strip()]
    return f"{type(exception).__name__}: {lines[0] if lines else ''}"


def main():
    # Compilers may print to stdout; the answers go where stdout was.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    name, backend, threads = sys.argv[1:]
    with torch.inference_mode():
        contender = Contender(name, backend, int(threads))
        for line in sys.stdin:
            try:
                answer = contender.answer(json.loads(line))
            except Exception as exception:
                answer = {"failure": failure(exception)}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
