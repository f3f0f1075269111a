"""A model in double precision: every f32 of it becomes an f64."""

import onnx
from onnx import TensorProto, helper, numpy_helper

# Attributes that name an element type.
TYPES = {"to", "dtype", "stash_type"}


def _double_tensor(tensor):
    if tensor.data_type == TensorProto.FLOAT:
        values = numpy_helper.to_array(tensor).astype("float64")
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))


def _double_type(value):
    if value.type.tensor_type.elem_type == TensorProto.FLOAT:
        value.type.tensor_type.elem_type = TensorProto.DOUBLE


def _double_constant(node):
    """Numbers of a Constant become a tensor, for they stand for f32."""
    for attribute in list(node.attribute):
        if attribute.name in ("value_float", "value_floats"):
            numbers = helper.get_attribute_value(attribute)
            shape = [len(numbers)] if attribute.name == "value_floats" else []
            values = numbers if shape else [numbers]
            node.attribute.remove(attribute)
            node.attribute.append(helper.make_attribute(
                "value", helper.make_tensor("value", TensorProto.DOUBLE, shape, values)))


def _double_nodes(nodes):
    for node in nodes:
        if node.op_type == "Constant":
            _double_constant(node)
        elif node.op_type == "ConstantOfShape" and not node.attribute:
            node.attribute.append(helper.make_attribute(
                "value", helper.make_tensor("value", TensorProto.DOUBLE, [1], [0.0])))
        for attribute in node.attribute:
            if attribute.name in TYPES and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.DOUBLE
            if attribute.HasField("t"):
                _double_tensor(attribute.t)
            for graph in [attribute.g] if attribute.HasField("g") else list(attribute.graphs):
                _double_graph(graph)


def _double_graph(graph):
    for tensor in graph.initializer:
        _double_tensor(tensor)
    for values in (graph.input, graph.output, graph.value_info):
        for value in values:
            _double_type(value)
    _double_nodes(graph.node)


def to_double(model):
    """A copy of the onnx.ModelProto."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    _double_graph(copy.graph)
    for function in copy.functions:
        _double_nodes(function.node)
    return copy
