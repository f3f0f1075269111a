#!/usr/bin/env python3
"""Layers drawn at random: models of one operator each, of the distributions stated here.

Usage, to write one of them and to print what it is: random_layers.py SEED KIND NUMBER FILE.onnx

A layer depends on its seed, its kind and its number alone, so that adding a kind changes no other layer. Everything is
f32 with batch 1 unless it says otherwise. What is drawn has between 2 and 400 million multiply-adds or, where it has none,
moves between 0.25 and 16 MB: less is over before threads have started, more has little to tell that this has not.
"""

import math
import random
import sys
from dataclasses import dataclass

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 18
LEAST_WORK, MOST_WORK = 2e6, 4e8  # multiply-adds
LEAST_BYTES, MOST_BYTES = 0.25e6, 16e6  # of inputs, weights and outputs


@dataclass
class Layer:
    kind: str
    text: str  # its shapes, for people
    model: onnx.ModelProto
    multiply_adds: int
    bytes: int  # of inputs, weights and outputs, each once


class TooSmallOrLarge(Exception):
    """What was drawn is outside the limits; the next draw may be within."""


class Draw:
    """Numbers as networks have them, and others."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_of(self, *choices):
        return self.random.choice(choices)

    def whole(self, least, most):
        """Of a logarithmic distribution: as many from 8 to 16 as from 64 to 128."""
        return min(int(math.exp(self.random.uniform(math.log(least), math.log(most + 1)))), most)

    def channels(self, least, most):
        """Half of them multiples of 8, as networks have them; of the others half are primes."""
        value = self.whole(least, most)
        form = self.random.random()
        if form < 0.5:
            return min(max(-(-value // 8) * 8, least), most)
        return _prime_at_most(value, least) if form < 0.75 else value

    def side(self, least=5, most=160):
        """Of an image: half of them as networks have them."""
        usual = [s for s in (7, 14, 20, 28, 40, 52, 56, 80, 104, 112) if least <= s <= most]
        if usual and self.random.random() < 0.5:
            return self.random.choice(usual)
        return self.whole(least, most)

    def image(self, least=5, most=160):
        """Height and width: two of three are squares."""
        height = self.side(least, most)
        return (height, height if self.random.random() < 2 / 3 else self.side(least, most))


def _prime_at_most(value, least):
    for number in range(value, max(least, 2) - 1, -1):
        if all(number % divisor for divisor in range(2, math.isqrt(number) + 1)):
            return number
    return value


def _text(shape):
    return "x".join(str(size) for size in shape)


def _weights(draw, shape, fan_in):
    generator = numpy.random.default_rng(draw.random.getrandbits(32))
    return generator.standard_normal(shape, numpy.float32) / numpy.float32(math.sqrt(fan_in))


def _layer(operator, inputs, shape, constants=(), work=0, text="", opset=OPSET, **attributes):
    """A model of one node: inputs are shapes, of f32; constants follow them; '' as one leaves it out."""
    names = [f"x{i}" for i in range(len(inputs))]
    given = [f"c{i}" if isinstance(value, numpy.ndarray) else "" for i, value in enumerate(constants)]
    initializers = [
        numpy_helper.from_array(value, name) for name, value in zip(given, constants) if name
    ]
    size = 4 * (sum(math.prod(i) for i in inputs) + math.prod(shape))
    size += sum(value.nbytes for value in constants if isinstance(value, numpy.ndarray))
    if work and not LEAST_WORK <= work <= MOST_WORK:
        raise TooSmallOrLarge
    if size > MOST_BYTES or (not work and size < LEAST_BYTES):
        raise TooSmallOrLarge
    node = helper.make_node(operator, names + given, ["y"], name=operator, **attributes)
    values = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, i) for n, i in zip(names, inputs)
    ]
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    graph = helper.make_graph([node], "layer", values, [result], initializers)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8
    )
    described = f"{operator} {' '.join(_text(i) for i in inputs)} -> {_text(shape)} {text}".rstrip()
    return described, model, int(work), int(size)


def _convolution(draw, channels, outputs, image, kernel, stride=1, dilation=1, groups=1):
    """Padded so that stride 1 keeps the image's size (of even windows, one less)."""
    padding = [(k - 1) * dilation // 2 for k in kernel]
    sizes = [
        (side + 2 * pad - (k - 1) * dilation - 1) // stride + 1
        for side, pad, k in zip(image, padding, kernel)
    ]
    if min(sizes) < 1:
        raise TooSmallOrLarge
    shape = [1, outputs, *sizes]
    fan_in = channels // groups * math.prod(kernel)
    constants = [_weights(draw, [outputs, channels // groups, *kernel], fan_in)]
    if draw.random.random() < 0.7:
        constants.append(_weights(draw, [outputs], 1))
    text = _text(kernel)
    text += f" stride {stride}" if stride > 1 else ""
    text += f" dilated {dilation}" if dilation > 1 else ""
    text += f" groups {groups}" if groups > 1 else ""
    return _layer("Conv", [[1, channels, *image]], shape, constants, math.prod(shape) * fan_in, text,
                  kernel_shape=kernel, pads=padding * 2, strides=[stride] * 2,
                  dilations=[dilation] * 2, group=groups)


def conv_1x1(draw):
    return _convolution(draw, draw.channels(8, 1024), draw.channels(8, 1024), draw.image(), [1, 1])


def conv_1x1_strided(draw):
    return _convolution(draw, draw.channels(16, 512), draw.channels(16, 1024), draw.image(), [1, 1],
                        stride=2)


def conv_3x3(draw):
    return _convolution(draw, draw.channels(8, 512), draw.channels(8, 512), draw.image(), [3, 3])


def conv_3x3_strided(draw):
    return _convolution(draw, draw.channels(8, 512), draw.channels(8, 512), draw.image(), [3, 3],
                        stride=2)


def conv_3x3_dilated(draw):
    return _convolution(draw, draw.channels(8, 256), draw.channels(8, 256), draw.image(13), [3, 3],
                        dilation=draw.one_of(2, 3, 4, 6))


def conv_5x5(draw):
    return _convolution(draw, draw.channels(8, 256), draw.channels(8, 256), draw.image(), [5, 5],
                        stride=draw.one_of(1, 1, 1, 2))


def conv_7x7(draw):
    return _convolution(draw, draw.channels(8, 128), draw.channels(8, 128), draw.image(7), [7, 7],
                        stride=draw.one_of(1, 1, 1, 2))


def conv_asymmetric(draw):
    length = draw.one_of(3, 5, 7)
    return _convolution(draw, draw.channels(8, 512), draw.channels(8, 512), draw.image(7),
                        draw.one_of([1, length], [length, 1]))


def conv_grouped(draw):
    """4 to 32 channels in each of at least two groups, as many out of it (or twice as many)."""
    each = draw.one_of(4, 8, 12, 16, 24, 32, draw.channels(4, 32))
    groups = draw.whole(2, 64)
    return _convolution(draw, groups * each, groups * each * draw.one_of(1, 1, 1, 2), draw.image(),
                        draw.one_of([3, 3], [3, 3], [1, 1]), stride=draw.one_of(1, 1, 2),
                        groups=groups)


def _depthwise(draw, side):
    channels = draw.channels(16, 1024)
    return _convolution(draw, channels, channels, draw.image(7), [side, side],
                        stride=draw.one_of(1, 1, 2), groups=channels)


def depthwise_3x3(draw):
    return _depthwise(draw, 3)


def depthwise_5x5(draw):
    return _depthwise(draw, 5)


def conv_stem(draw):
    side = draw.one_of(3, 5, 7, 7, 11)
    return _convolution(draw, draw.one_of(1, 3, 3, 3, 4), draw.channels(8, 128), draw.image(64, 320),
                        [side, side], stride=draw.one_of(1, 2, 2, 4))


def conv_transposed(draw):
    channels, outputs, (height, width) = draw.channels(8, 256), draw.channels(8, 128), draw.image(5, 64)
    side = draw.one_of(2, 4)
    pad = (side - 2) // 2
    shape = [1, outputs, 2 * height, 2 * width]
    constants = [_weights(draw, [channels, outputs, side, side], channels * side * side // 4)]
    return _layer("ConvTranspose", [[1, channels, height, width]], shape, constants,
                  channels * height * width * outputs * side * side, f"{side}x{side} stride 2",
                  kernel_shape=[side] * 2, pads=[pad] * 4, strides=[2] * 2)


def _product(draw, rows, inner, columns, batch=(), constant=True):
    left, right, shape = [*batch, rows, inner], [*batch, inner, columns], [*batch, rows, columns]
    work = math.prod(shape) * inner
    if constant:
        return _layer("MatMul", [left], shape, [_weights(draw, [inner, columns], inner)], work,
                      f"by weights {inner}x{columns}")
    return _layer("MatMul", [left, right], shape, [], work)


def matmul(draw):
    return _product(draw, draw.whole(8, 1024), draw.channels(16, 1024), draw.channels(16, 1024),
                    constant=draw.one_of(True, True, False))


def fully_connected(draw):
    """Vectors by matrices: of one image, or of few."""
    rows, inner, columns = draw.one_of(1, 1, 1, 2, 4, 7), draw.channels(64, 4096), draw.channels(10, 4096)
    constants = [_weights(draw, [columns, inner], inner), _weights(draw, [columns], 1)]
    return _layer("Gemm", [[rows, inner]], [rows, columns], constants, rows * inner * columns, "",
                  transB=1)


def matmul_batched(draw):
    """As attention has them."""
    return _product(draw, draw.whole(16, 400), draw.channels(16, 400), draw.channels(16, 400),
                    batch=(1, draw.one_of(3, 4, 6, 8, 12, 16)), constant=False)


def _window(draw, operator, **more):
    channels, image = draw.channels(8, 512), draw.image(7)
    side, stride = draw.one_of((2, 2), (3, 2), (3, 1), (5, 1))
    pad = (side - 1) // 2
    sizes = [(extent + 2 * pad - side) // stride + 1 for extent in image]
    return _layer(operator, [[1, channels, *image]], [1, channels, *sizes], [], 0,
                  f"{side}x{side} stride {stride}", kernel_shape=[side] * 2, strides=[stride] * 2,
                  pads=[pad] * 4, **more)


def max_pool(draw):
    return _window(draw, "MaxPool")


def average_pool(draw):
    return _window(draw, "AveragePool", count_include_pad=draw.one_of(0, 1))


def global_pool(draw):
    channels = draw.channels(32, 2048)
    return _layer("GlobalAveragePool", [[1, channels, *draw.image(5, 112)]], [1, channels, 1, 1])


def softmax(draw):
    shape = draw.one_of(
        [1, draw.one_of(4, 8, 12), draw.whole(32, 400), draw.whole(32, 400)],
        [draw.whole(32, 2048), draw.whole(10, 2000)],
        [1, draw.channels(2, 64), *draw.image(16, 160)])
    axis = 1 if len(shape) == 4 and shape[1] > 12 else -1
    return _layer("Softmax", [shape], shape, [], 0, f"axis {axis}", axis=axis)


def layer_norm(draw):
    shape = [1, draw.whole(16, 2048), draw.channels(32, 1536)]
    constants = [_weights(draw, [shape[-1]], 1), _weights(draw, [shape[-1]], 1)]
    return _layer("LayerNormalization", [shape], shape, constants, axis=-1)


def resize(draw):
    channels, image = draw.channels(3, 256), draw.image(7, 112)
    factor = draw.one_of(2, 2, 4)
    mode, coordinates = draw.one_of(
        ("nearest", "asymmetric"), ("linear", "half_pixel"), ("linear", "align_corners"))
    shape = [1, channels, *(side * factor for side in image)]
    nearest = {"nearest_mode": "floor"} if mode == "nearest" else {}
    return _layer("Resize", [[1, channels, *image]], shape,
                  ["", "", numpy.array(shape, numpy.int64)], 0, f"{mode} {coordinates}", mode=mode,
                  coordinate_transformation_mode=coordinates, **nearest)


def transpose(draw):
    rank = draw.one_of(2, 3, 4, 4)
    shape = [draw.channels(3, 400) for _ in range(rank)]
    order = list(range(rank))
    while order == sorted(order):
        draw.random.shuffle(order)
    return _layer("Transpose", [shape], [shape[axis] for axis in order], [], 0, f"by {order}",
                  perm=order)


def reduction(draw):
    operator = draw.one_of("ReduceMean", "ReduceSum", "ReduceMax", "ReduceL2")
    shape, axes = draw.one_of(
        ([1, draw.channels(16, 512), *draw.image(7)], draw.one_of([2, 3], [1], [3], [1, 2, 3])),
        ([draw.whole(64, 4096), draw.whole(64, 4096)], draw.one_of([0], [1])))
    kept = [1 if axis in axes else size for axis, size in enumerate(shape)]
    return _layer(operator, [shape], kept, [numpy.array(axes, numpy.int64)], 0, f"over {axes}",
                  keepdims=1)


def elementwise(draw):
    """One or two operands, the second perhaps one number for each channel."""
    shape = [1, draw.channels(8, 512), *draw.image(7)]
    if draw.random.random() < 0.5:
        other = draw.one_of(shape, [1, shape[1], 1, 1])
        return _layer(draw.one_of("Add", "Mul", "Sub", "Div"), [shape, other], shape)
    return _layer(draw.one_of("Relu", "Sigmoid", "Tanh", "Exp", "Erf", "HardSwish", "Softplus",
                              "LeakyRelu", "Elu"), [shape], shape)


def vector_math(draw):
    """A function that takes many instructions. Operands have both signs, so powers are those that all numbers have."""
    shape = [1, draw.channels(8, 512), *draw.image(7)]
    function = draw.one_of("Exp", "Tanh", "Sigmoid", "Erf", "Softplus", "Mish", "Sin", "Cos", "Pow")
    constants = [numpy.array(draw.one_of(4.0, 5.0, 7.0), numpy.float32)] if function == "Pow" else []
    return _layer(function, [shape], shape, constants)


def concatenation(draw):
    image, parts = draw.image(7), [draw.channels(8, 256) for _ in range(draw.one_of(2, 3, 4))]
    return _layer("Concat", [[1, channels, *image] for channels in parts], [1, sum(parts), *image],
                  axis=1)


KINDS = {
    function.__name__: function
    for function in (
        conv_1x1, conv_1x1_strided, conv_3x3, conv_3x3_strided, conv_3x3_dilated, conv_5x5,
        conv_7x7, conv_asymmetric, conv_grouped, depthwise_3x3, depthwise_5x5, conv_stem,
        conv_transposed, matmul, fully_connected, matmul_batched, max_pool, average_pool,
        global_pool, softmax, layer_norm, resize, transpose, reduction, elementwise, vector_math,
        concatenation)
}


def drawn(seed, kind, number):
    """The layer of that number; the first draw that is within the limits."""
    draw = Draw(f"{seed}/{kind}/{number}")
    while True:
        try:
            text, model, work, size = KINDS[kind](draw)
            return Layer(kind, text, model, work, size)
        except TooSmallOrLarge:
            pass


def main():
    if len(sys.argv) != 5 or sys.argv[2] not in KINDS:
        print(__doc__, "Kinds: ", ", ".join(KINDS), sep="\n")
        sys.exit(2)
    seed, kind, number, file = sys.argv[1:]
    layer = drawn(int(seed), kind, int(number))
    onnx.save(layer.model, file)
    print(layer.text)


if __name__ == "__main__":
    main()
