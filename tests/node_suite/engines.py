"""The ways to run a model: units through Halide's JIT in a server of ours (quick), or what a user does,
`emulsion compile` and `emulsion run`.

An engine's run() gives the files of the outputs; for a model that is refused it raises Refused, for
everything else that goes wrong Crashed.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench" / "python"))

import documents


class Refused(Exception):
    pass


class Crashed(Exception):
    pass


@dataclass
class Options:
    """How cases are compiled: options of `emulsion compile`."""

    policy: str = "gao2025"
    checked: bool = False
    disabled_passes: list = field(default_factory=list)
    target: str = "host"


class Jit:
    """One server process, which runs every case in a child of its own."""

    def __init__(self, build, timeout, options):
        self.program = str(Path(build) / "bin" / "node_suite_server")
        self.timeout = timeout
        self.options = vars(options)
        self.process = None

    def run(self, model, inputs, folder):
        if self.process is None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        request = {"model": model, "inputs": inputs, "output": str(folder), "timeout": self.timeout,
                   **self.options}
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            self.close()
            raise Crashed("the server ended")
        answer = json.loads(line)
        if "outputs" in answer:
            return answer["outputs"]
        place = f"{answer['operator_type']}: " if answer["operator_type"] else ""
        raise (Refused if answer["refused"] else Crashed)(place + answer["message"])

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None


class Artifact:
    """The program, as a user runs it."""

    def __init__(self, build, timeout, options):
        self.program = str(Path(build) / "bin" / "emulsion")
        self.timeout = timeout
        self.flags = ["--policy", options.policy, "--target", options.target,
                      *(["--checked"] if options.checked else [])]
        for name in options.disabled_passes:
            self.flags += ["--disable-pass", name]

    def run(self, model, inputs, folder):
        network, report = str(folder / "network"), folder / "run.json"
        self._emulsion("compile", model, "-o", network, "--jobs", "1", *self.flags)
        given = [text for name, file in inputs.items() for text in ("--input", f"{name}={file}")]
        self._emulsion("run", network, *given, "--output-dir", str(folder / "outputs"),
                       "--json", str(report))
        return [output["file"] for output in documents.read(report, "emulsion-run")["outputs"]]

    def _emulsion(self, *arguments):
        process = subprocess.Popen([self.program, *arguments], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            _, errors = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Crashed(f"emulsion {arguments[0]} took longer than {self.timeout} seconds") from None
        if process.returncode == 2:
            raise Refused(errors.strip())
        if process.returncode != 0:
            raise Crashed(f"emulsion {arguments[0]} ended with status {process.returncode}: "
                          f"{errors.strip()}")

    def close(self):
        pass


ENGINES = {"jit": Jit, "artifact": Artifact}


def registry(build):
    """What the server knows: the operators of the registry."""
    program = str(Path(build) / "bin" / "node_suite_server")
    printed = subprocess.run([program, "--operators"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(printed)
