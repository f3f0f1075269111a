"""Operands that Emulsion reads at compile time, made constants.

In the node cases everything is an input of the model, also the shape of a Reshape or the axes of a
reduction. Networks have constants there, and a compiler of fixed shapes needs them: so these inputs get
the case's value as an initializer. Which they are follows from the registry; where an operator is not
in it (its function body may be expanded), integers of rank 0 and 1 are taken for such operands.
"""

import numpy

# Operators of older opsets, which the registry does not have.
OLD = {("", "Upsample"): [1]}
# What they tell of an operand is known without its values.
SHAPE_ONLY = {"Shape", "Size"}


def constant_inputs(model, registry, arrays):
    """Names of the inputs of `model` to make constant. `registry`: (domain, type) -> positions of
    compile-time operands. `arrays`: the inputs' values by name."""
    makers = {name: node for node in model.graph.node for name in node.output}
    found = set()
    todo = []
    for node in model.graph.node:
        domain = "" if node.domain == "ai.onnx" else node.domain
        key = (domain, node.op_type)
        positions = registry.get(key, OLD.get(key))
        for i, name in enumerate(node.input):
            if positions is not None and i in positions:
                todo.append(name)
            elif positions is None and name in arrays and _is_integer_list(arrays[name]):
                todo.append(name)
    seen = set()
    while todo:
        name = todo.pop()
        if name in seen or not name:
            continue
        seen.add(name)
        if name in arrays:
            found.add(name)
        elif name in makers and makers[name].op_type not in SHAPE_ONLY:
            todo.extend(makers[name].input)
    return found


def with_constants(model, values):
    """A copy of `model` in which the inputs named in `values` have their value."""
    import onnx

    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    kept = [value for value in changed.graph.input if value.name not in values]
    del changed.graph.input[:]
    changed.graph.input.extend(kept)
    for name, array in values.items():
        changed.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    # Initializers that are no inputs came with version 4 of the format.
    changed.ir_version = max(changed.ir_version, 4)
    return changed


def _is_integer_list(array):
    return array.dtype.kind in "iu" and array.ndim <= 1 and array.dtype != numpy.uint8
