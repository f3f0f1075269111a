#!/usr/bin/env python3
"""Measures how 3x3 convolutions round in each of their implementations, beside double precision.

Convolutions of several sizes, with two kinds of weights and images: `random`, all independent and of equal size; and
`trained`, as they are in networks: taps that are smooth, output channels that are mixtures of few (correlated) and of
sizes that differ by orders of magnitude, as batch norms that were folded leave them, on images that are smooth and not
negative, channels of different sizes.

Prints for each and for every implementation the root mean square of the errors over that of the results, and the
largest error over the bound of `emulsion verify`, 1e-4 + 1e-3 |result|: up to 1 passes.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import artifact
import numpy
import onnx
import scratch
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).resolve().parent
IMPLEMENTATIONS = ("direct", "winograd_2x2", "winograd_4x4")
SIZES = ((16, 16, 56), (64, 64, 56), (128, 128, 28), (256, 256, 14), (37, 53, 23))


def smooth(values, passes):
    """Averages of neighbours along the last two axes."""
    for _ in range(passes):
        for axis in (-1, -2):
            values = (values + numpy.roll(values, 1, axis) + numpy.roll(values, -1, axis)) / 3.0
    return values


def random_layer(generator, channels, outputs, side):
    weights = generator.standard_normal((outputs, channels, 3, 3)) * numpy.sqrt(2.0 / (9 * channels))
    return weights, generator.standard_normal((1, channels, side, side))


def trained_layer(generator, channels, outputs, side):
    few = max(2, min(channels, outputs) // 8)
    taps = generator.standard_normal((few, channels, 3, 3))
    taps += 2.0 * taps.mean(axis=(2, 3), keepdims=True)
    weights = numpy.tensordot(generator.standard_normal((outputs, few)), taps, 1)
    weights += 0.2 * generator.standard_normal(weights.shape)
    weights *= numpy.exp(1.5 * generator.standard_normal((outputs, 1, 1, 1)))
    weights *= numpy.sqrt(2.0 / (9 * channels * few))
    image = smooth(generator.standard_normal((1, channels, side, side)), 3)
    image = numpy.maximum(image + 0.1, 0.0) * 4.0
    return weights, image * numpy.exp(generator.standard_normal((1, channels, 1, 1)))


KINDS = {"random": random_layer, "trained": trained_layer}


def model_of(weights, image, file):
    side, outputs = image.shape[-1], weights.shape[0]
    graph = helper.make_graph(
        [helper.make_node("Conv", ["x", "w"], ["y"], name="conv", pads=[1, 1, 1, 1])], "layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, list(image.shape))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, outputs, side, side])],
        [numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, file)


def in_doubles(weights, image):
    side = image.shape[-1]
    padded = numpy.pad(image[0].astype("f8"), ((0, 0), (1, 1), (1, 1)))
    windows = numpy.stack([padded[:, i:i + side, j:j + side] for i in range(3) for j in range(3)], 1)
    columns = windows.reshape(-1, side * side)
    return (weights.astype("f8").reshape(weights.shape[0], -1) @ columns).reshape(1, -1, side, side)


def results_of(options, model, implementation, image, folder):
    subprocess.run([options.emulsion, "compile", model, "-o", folder, "--threads", "2",
                    "--implementation", f"conv={implementation}"], check=True, stdout=subprocess.DEVNULL)
    network = artifact.Artifact(folder, {"x": image}, 2)
    network.run()
    return network.outputs()["y"].astype("f8")


def measure(options, folder):
    print(f"{'channels':>10} {'image':>6} {'weights':>8} {'implementation':>15} {'rms error':>10} {'error/bound':>12}")
    worst = {}
    for channels, outputs, side in SIZES:
        for kind, make in KINDS.items():
            generator = numpy.random.default_rng([options.seed, channels, outputs, side])
            weights, image = (values.astype("f4") for values in make(generator, channels, outputs, side))
            model = f"{folder}/{kind}_{channels}_{side}.onnx"
            model_of(weights, image, model)
            expected = in_doubles(weights, image)
            for implementation in IMPLEMENTATIONS:
                found = results_of(options, model, implementation, image,
                                   f"{folder}/{kind}_{channels}_{side}_{implementation}")
                error = numpy.abs(found - expected)
                rms = numpy.sqrt((error ** 2).mean() / (expected ** 2).mean())
                share = (error / (1e-4 + 1e-3 * numpy.abs(expected))).max()
                worst[implementation] = max(share, worst.get(implementation, 0.0))
                print(f"{channels:>5}-{outputs:<4} {side:>6} {kind:>8} {implementation:>15} {rms:>10.2e} {share:>12.3f}")
    print("largest error/bound: " + ", ".join(f"{name} {share:.3f}" for name, share in worst.items()))


def main():
    parser = argparse.ArgumentParser(prog="rounding", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of weights and images")
    parser.add_argument("--emulsion", metavar="PROGRAM", default=str(HERE.parents[1] / "build/bin/emulsion"),
                        help="the program that compiles (default %(default)s)")
    options = parser.parse_args()
    try:
        with scratch.temporary_folder("rounding") as folder:
            measure(options, folder)
    except (OSError, subprocess.CalledProcessError, RuntimeError) as error:
        print(f"rounding: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
