#!/usr/bin/env python3
"""Makes small libraries in place of CUDA's for a PyTorch that is to run on the CPU alone.

Usage (by tools/torch): cuda_stand_ins.py ENVIRONMENT

PyTorch's package for Linux on x86-64 is linked with CUDA: it can't be imported without two gigabytes of
NVIDIA's packages, though a program that uses the CPU calls nothing in them. This writes a library for each
that is needed and not there, into the folder that PyTorch looks into first, nvidia/cu13/lib beside itself.
Every function in them returns cudaErrorNoDevice, so PyTorch finds that there is no GPU.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

NO_DEVICE = 100  # cudaErrorNoDevice
CUDA = re.compile(r"lib(cu|nv|nccl)")
# The version of symbols in this library, where it isn't the name of the library.
VERSIONS = {"NVSHMEM": "libnvshmem_host.so.3"}
SYMBOL = re.compile(r"^\s+(?P<type>[UwW]) (?P<name>\w+)(@(?P<version>\S+))?$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(libraries):
    """The names of the libraries of CUDA that some libraries are linked with."""
    names = re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", *libraries))
    return sorted({name for name in names if CUDA.match(name)})


def symbols(libraries, named):
    """What some libraries want from those of CUDA: {name of the library: names of functions}.

    Symbols without a version don't say where they are: all are put into the first library.
    """
    own = set(re.findall(r"(\w+)$", output("nm", "-D", "--defined-only", *libraries), re.MULTILINE))
    wanted = defaultdict(set)
    for line in output("nm", "-D", "--undefined-only", *libraries).splitlines():
        symbol = SYMBOL.match(line)
        if not symbol or symbol["type"] != "U" or symbol["name"] in own:
            continue
        version = symbol["version"]
        library = VERSIONS.get(version, version) if version else named[0]
        if library in named:
            wanted[library].add((symbol["name"], version))
    return wanted


def write_library(folder, name, wanted):
    """A shared library of functions that find no device."""
    functions = "".join(f"int {symbol}(void) {{ return {NO_DEVICE}; }}\n"
                        for symbol, _ in sorted(wanted, key=str))
    versions = {version for _, version in wanted if version}
    script = folder / f"{name}.map"
    script.write_text("".join(f"{version} {{ global: *; }};\n" for version in versions))
    command = ["gcc", "-w", "-fno-builtin", "-shared", "-fPIC", "-x", "c", "-", "-o", str(folder / name),
               f"-Wl,-soname,{name}"]
    if versions:
        command.append(f"-Wl,--version-script={script}")
    subprocess.run(command, input=functions, check=True, text=True)
    script.unlink()


def main():
    (packages,) = Path(sys.argv[1]).glob("lib/python*/site-packages")
    libraries = sorted(str(path) for path in (packages / "torch" / "lib").glob("lib*.so"))
    folder = packages / "nvidia" / "cu13" / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    named = needed(libraries)
    wanted = symbols(libraries, named)
    for name in named:
        if not (folder / name).exists():
            write_library(folder, name, wanted[name])


if __name__ == "__main__":
    main()
