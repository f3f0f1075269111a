#!/usr/bin/env python3
"""Prints the figures that tools/figures has gathered in FOLDER as Markdown tables.

Usage: figures.py FOLDER NETWORK...
"""

import sys
from pathlib import Path

import documents


def load(folder, network, kind):
    """The figures of a kind: bench, verify, compare, or compile_cold and compile_warm."""
    return documents.read(folder / f"{network}_{kind}.json", f"emulsion-{kind.split('_')[0]}")


def table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * (len(columns) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def compile_row(folder, network):
    cold, warm = (load(folder, network, f"compile_{state}") for state in ("cold", "warm"))
    megabytes = [f"{cold[key] / 1e6:.2f}" for key in ("arena_bytes", "live_bytes", "weights_bytes")]
    return [network, f"{cold['operators']} in {cold['groups']}", str(cold["units"]),
            f"{cold['seconds']:.1f} s", f"{warm['seconds']:.1f} s", *megabytes,
            f"{cold['compiler_bytes'] / 1e9:.2f}"]


def verify_row(folder, network):
    good, damaged = (load(folder, name, "verify") for name in (network, f"{network}_damaged"))
    ratio = damaged["worst_bound_ratio"]
    return [network, str(good["runs"]), f"{good['max_abs_error']:.2g}",
            f"{good['worst_bound_ratio']:.2g}", f"{good['sensitivity']:.0f}",
            "pass" if good["pass"] else "FAIL",
            f"{'NOT NOTICED' if damaged['pass'] else 'fails'}, "
            + ("not finite" if ratio is None else f"{ratio:.3g}")]


def bench_rows(folder, network):
    report = load(folder, network, "bench")
    for policy, row in report["policies"].items():
        yield [f"{network}, {policy}", f"{row['median_ms']:.2f}", f"{row['p90_ms']:.2f}",
               f"{row['min_ms']:.2f}", str(row["groups"]), f"{row['fusion_ratio']:.2f}",
               f"{row['peak_arena_mb']:.2f}", f"{row['peak_rss_mb']:.0f}"]


def compare_row(folder, network):
    report = load(folder, network, "compare")
    times = [
        f"{report['engines'][e]['median_ms']:.2f} ({report['engines'][e]['min_ms']:.2f})"
        for e in ("emulsion", "onnxruntime", "openvino")
    ]
    low, high = report["ratio_interval"]
    return [network, *times, f"{report['ratio']:.2f} ({low:.2f} to {high:.2f})"]


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    folder, networks = Path(sys.argv[1]), sys.argv[2:]
    each = lambda row: [row(folder, network) for network in networks]
    print("Compiling, 2 cores:\n")
    table(["network", "operators in groups", "units", "cold", "from the cache", "arena MB",
           "live MB", "weights MB", "compiler GB"], each(compile_row))
    print("Verification against ONNX Runtime; error over the bound passes up to 1:\n")
    table(["network", "runs", "max error", "error/bound", "sensitivity", "result",
           "with a damaged layer"], each(verify_row))
    print("Fusion policies, milliseconds on 2 threads:\n")
    table(["network, policy", "median", "p90", "min", "groups", "fusion ratio", "arena MB",
           "peak RSS MB"], [row for network in networks for row in bench_rows(folder, network)])
    print("Beside other engines, f32, 2 threads, median (min) milliseconds:\n")
    table(["network", "Emulsion", "ONNX Runtime", "OpenVINO", "ratio to the better peer (95 %)"],
          each(compare_row))


if __name__ == "__main__":
    main()
