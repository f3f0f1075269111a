#!/usr/bin/env python3
"""Prints what tools/gpu-figures has found out in FOLDER as Markdown tables.

Usage: gpu_table.py FOLDER "CHIP ..." "NETWORK ..."
"""

import sys
from pathlib import Path

import documents
from figures import table

POLICIES = ("none", "tvm", "dnnfusion", "priority", "gao2025")


def load(folder, name, schema="emulsion-explain"):
    return documents.read(folder / f"{name}.json", schema)


def plans(folder, chip, networks):
    rows = []
    for network in networks:
        of = {policy: load(folder, f"{network}.{policy}.{chip}") for policy in POLICIES}
        each = lambda text: " / ".join(text(of[policy]) for policy in POLICIES)
        rows.append([network, str(of["none"]["operator_count"]),
                     each(lambda plan: str(plan["launched_groups"])),
                     each(lambda plan: f"{plan['bytes_moved'] / 1e6:.0f}"),
                     each(lambda plan: f"{plan['predicted_ms']:.2f}")])
    print(f"For {chip}, under {', '.join(POLICIES)}:\n")
    table(["network", "operators", "launches", "MB moved", "predicted ms"], rows)


def fusion_ratios(folder, chips, networks):
    rows, averages = [], []
    for chip in chips:
        ratios, cells, times = [], [], []
        for network in networks:
            tvm, ours = (load(folder, f"{network}.{policy}.{chip}")
                         for policy in ("tvm", "gao2025"))
            counts = tvm["launched_groups"], ours["launched_groups"]
            ratios.append(counts[0] / counts[1])
            times.append(f"{tvm['predicted_ms'] / ours['predicted_ms']:.2f}")
            cells.append(f"{counts[0]} / {counts[1]} = {ratios[-1]:.2f}")
        averages.append(sum(ratios) / len(ratios))
        rows.append([chip, *cells, f"{averages[-1]:.2f}", ", ".join(times)])
    print("Launches under tvm and gao2025, and predicted time of tvm over gao2025:\n")
    table(["chip", *networks, "average", "time"], rows)
    print(f"On average the ratio over tvm is {sum(averages) / len(averages):.2f}.\n")


def code_bytes(folder, network, chip):
    kernels = folder / f"{network}-{chip}" / "emit" / "kernels"
    return sum(file.stat().st_size for file in kernels.glob("*/*.hsaco"))


def compiled(folder, chips, networks):
    rows = []
    for network in networks:
        for chip in chips:
            report = load(folder, f"{network}.{chip}", "emulsion-compile")
            library = next((folder / f"{network}-{chip}").glob("lib*.so"))
            rows.append([network, chip, f"{report['seconds']:.1f}", str(report["groups"]),
                         str(report["units"]), str(report["shrunk_units"]),
                         f"{code_bytes(folder, network, chip) / 1e3:.0f}",
                         f"{library.stat().st_size / 1e6:.2f}"])
    table(["network", "chip", "seconds", "launches", "units", "made smaller", "code KB",
           "library MB"], rows)


def kernels(folder, networks):
    rows = []
    for network in networks:
        found = load(folder, f"{network}.kernels")["kernels"]
        for chip in dict.fromkeys(kernel["chip"] for kernel in found):
            of = [kernel for kernel in found if kernel["chip"] == chip]
            waves = [kernel["waves_per_simd"] for kernel in of]
            shares = [kernel["fma_share"] for kernel in of if kernel["multiply_adds"] > 0]
            rows.append([network, chip, str(len(of)),
                         f"{min(waves)} to {max(waves)} of {of[0]['most_waves_per_simd']}",
                         f"{100 * min(shares):.0f} % to {100 * max(shares):.0f} %"])
    table(["network", "chip", "kernels", "waves of a SIMD", "in FMA, packed FMA or dot"], rows)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, chips, networks = Path(sys.argv[1]), sys.argv[2].split(), sys.argv[3].split()
    plans(folder, chips[0], networks)
    fusion_ratios(folder, chips, networks)
    compiled(folder, chips, networks)
    kernels(folder, networks)


if __name__ == "__main__":
    main()
