"""The cases of ONNX's own test suite, as files.

The wheel of the onnx package holds the model cases as files and the node cases as Python, which makes
models and data when it is imported. That takes seconds, so the node cases are written once, into a
folder that is named after the version: NAME/model.onnx, NAME/input_I.npy, NAME/output_I.npy, and
index.json with what there is to know of all.
"""

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy

# A change of what is written makes a new folder.
FORMAT = 2
MODEL_KINDS = ["simple", "pytorch-operator", "pytorch-converted"]
KINDS = ["node", *MODEL_KINDS]
# What .npy files hold here: the element types of Emulsion's tensors.
TYPES = ["float32", "float64", "int8", "int16", "int32", "int64",
         "uint8", "uint16", "uint32", "uint64", "bool"]
EXPANDED = "_expanded"


@dataclass
class Case:
    name: str
    kind: str
    operator: str  # the one that the case is about; "" of models of several
    domain: str
    opset: int
    folder: str
    inputs: list  # [name, file] of the model's inputs; the file is "" for what .npy can't hold
    outputs: list
    types: list  # ONNX's names of the element types of both; "SEQUENCE", "OPTIONAL"
    rtol: float
    atol: float

    @property
    def model(self):
        return str(Path(self.folder) / "model.onnx")


def cases(build, kinds=("node",)):
    """All cases of these kinds, by name."""
    import importlib.metadata

    version = importlib.metadata.version("onnx")
    found = []
    for kind in kinds:
        folder = Path(build) / "node_suite" / f"onnx-{version}-{FORMAT}" / kind
        if not (folder / "index.json").exists():
            _write(folder, kind)
        for fields in json.loads((folder / "index.json").read_text()):
            found.append(Case(**{**fields, "folder": str(folder / fields["folder"])}))
    return sorted(found, key=lambda case: case.name)


def _write(folder, kind):
    """Writes all cases of a kind, as a whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        index = [_write_case(scratch, case, kind) for case in _collect(kind)]
        _name_operators(index)
        (scratch / "index.json").write_text(json.dumps([asdict(case) for case in index]))
        try:
            os.rename(scratch, folder)
        except OSError:  # somebody else was faster
            if not (folder / "index.json").exists():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _collect(kind):
    import warnings

    warnings.simplefilter("ignore")  # of NumPy, about overflows that the cases mean
    if kind == "node":
        from onnx.backend.test.case.node import collect_testcases
        return collect_testcases()
    from onnx.backend.test.loader import load_model_tests
    return [case for case in load_model_tests(kind=kind) if case.model_dir is not None]


def _write_case(scratch, case, kind):
    import onnx

    folder = scratch / case.name
    folder.mkdir()
    if case.model is not None:
        model = case.model
        inputs, outputs = case.data_sets[0]
    else:
        model = onnx.load(Path(case.model_dir) / "model.onnx")
        inputs, outputs = ([_read_tensor(path) for path in _data_files(case.model_dir, what)]
                           for what in ("input", "output"))
    onnx.save(model, folder / "model.onnx")
    constants = {tensor.name for tensor in model.graph.initializer}
    asked = [value for value in model.graph.input if value.name not in constants]
    nodes = model.graph.node
    return Case(
        name=case.name, kind=kind,
        operator=nodes[0].op_type if len(nodes) == 1 else "",
        domain=nodes[0].domain if len(nodes) == 1 else "",
        opset=max((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), default=0),
        folder=case.name,
        inputs=_write_arrays(folder, "input", asked, inputs),
        outputs=_write_arrays(folder, "output", model.graph.output, outputs),
        types=sorted({_type_name(value.type) for value in [*asked, *model.graph.output]}),
        rtol=case.rtol, atol=case.atol)


def _type_name(value_type):
    import onnx

    kind = value_type.WhichOneof("value")
    if kind == "tensor_type":
        return onnx.TensorProto.DataType.Name(value_type.tensor_type.elem_type)
    return kind.removesuffix("_type").upper()


def _data_files(folder, what):
    files = sorted((Path(folder) / "test_data_set_0").glob(f"{what}_*.pb"),
                   key=lambda path: int(path.stem.split("_")[1]))
    return files


def _read_tensor(path):
    import onnx

    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return tensor


def _write_arrays(folder, what, values, arrays):
    """[name, file] of each value."""
    import onnx

    written = []
    for i, (value, array) in enumerate(zip(values, arrays, strict=True)):
        if isinstance(array, onnx.TensorProto):
            array = onnx.numpy_helper.to_array(array)
        if isinstance(array, (numpy.ndarray, numpy.generic)) and array.dtype.name in TYPES:
            file = f"{what}_{i}.npy"
            numpy.save(folder / file, numpy.asarray(array, order="C"))
        else:
            file = ""
        written.append([value.name, file])
    return written


def _name_operators(index):
    """An expansion belongs to the operator that it expands."""
    of = {case.name: case for case in index}
    for case in index:
        base = of.get(case.name.split(EXPANDED)[0])
        if base is not None and base is not case:
            case.operator, case.domain = base.operator, base.domain
