"""The model of a case with other operators before and after its own.

    x -> y = f(x)      becomes      x -> Neg -> Neg -> f -> Neg -> Neg -> y

So f reads and writes what other groups, or other members of its own, do, and its results' types and
shapes are not declared by the model. Where a result can be the image of a convolution, that is what
follows, with one tap that changes the sign back and padding: f's result then has a halo.

    f -> Neg -> Conv <W = [[0, 0, 0], [0, -1, 0], [0, 0, 0]], pads = 1> -> y
"""

import numpy

# Twice, they change nothing, and nothing drops them. Unsigned: since opset 18.
INVERSES = {"FLOAT": "Neg", "DOUBLE": "Neg", "INT8": "Neg", "INT16": "Neg", "INT32": "Neg",
            "INT64": "Neg", "BOOL": "Not", "UINT8": "BitwiseNot", "UINT16": "BitwiseNot",
            "UINT32": "BitwiseNot", "UINT64": "BitwiseNot"}
IMAGE_RANKS = (3, 4, 5)


def with_neighbours(model, results):
    """A copy of `model`. `results`: the expected arrays of its outputs by name."""
    import onnx

    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    graph = changed.graph
    opset = max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0)
    if any(attribute.HasField("g") for node in graph.node for attribute in node.attribute):
        return changed  # bodies of control flow read values by name
    own = list(graph.node)
    before, after = [], []
    given = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        operator = _inverse(value, opset)
        if operator and value.name not in given:
            inner = value.name + ".inner"
            before += _twice(operator, value.name, inner)
            _rename(own, "input", value.name, inner)
    del graph.value_info[:]
    for value in graph.output:
        operator = _inverse(value, opset)
        if operator:
            inner = value.name + ".inner"
            _rename(own, "input", value.name, inner)
            _rename(own, "output", value.name, inner)
            if operator == "Neg" and _is_image(results.get(value.name)):
                after += _sign_and_convolution(graph, inner, value.name, results[value.name])
            else:
                after += _twice(operator, inner, value.name)
    del graph.node[:]
    graph.node.extend(before + own + after)
    changed.ir_version = max(changed.ir_version, 4)  # initializers that are no inputs
    return changed


def _inverse(value, opset):
    import onnx

    if not value.type.HasField("tensor_type"):
        return ""
    kind = onnx.TensorProto.DataType.Name(value.type.tensor_type.elem_type)
    operator = INVERSES.get(kind, "")
    since = 18 if operator == "BitwiseNot" else 6
    return operator if opset >= since else ""


def _rename(nodes, what, old, new):
    for node in nodes:
        names = getattr(node, what)
        for i, name in enumerate(names):
            if name == old:
                names[i] = new


def _twice(operator, source, target):
    import onnx

    between = f"{source}.{operator}"
    return [onnx.helper.make_node(operator, [source], [between], name=f"{between}.1"),
            onnx.helper.make_node(operator, [between], [target], name=f"{between}.2")]


def _is_image(array):
    # 0 * inf is no 0.
    return (array is not None and array.dtype.kind == "f" and array.ndim in IMAGE_RANKS
            and array.size > 0 and bool(numpy.isfinite(array).all()))


def _sign_and_convolution(graph, source, target, array):
    import onnx

    axes = array.ndim - 2
    taps = numpy.zeros([array.shape[1], 1] + [3] * axes, array.dtype)
    taps[(slice(None), 0) + (1,) * axes] = -1
    negative, weights = f"{source}.Neg", f"{target}.taps"
    graph.initializer.append(onnx.numpy_helper.from_array(taps, weights))
    return [onnx.helper.make_node("Neg", [source], [negative], name=negative),
            onnx.helper.make_node("Conv", [negative, weights], [target], name=f"{target}.Conv",
                                  group=array.shape[1], pads=[1] * (2 * axes))]
