"""A compiled network from Python: the C API of DIR/lib<name>.so through ctypes."""

import ctypes
from pathlib import Path

import numpy

# In the order of the generated header's enumeration.
TYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


class TensorInfo(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
    ]


class Tensor:
    def __init__(self, info):
        self.name = info.name.decode()
        self.dtype = numpy.dtype(TYPES[info.type])
        self.shape = tuple(info.shape[i] for i in range(info.rank))


class Library:
    """The shared library of a compiled folder, and what it says about its inputs and outputs."""

    def __init__(self, folder):
        found = sorted(Path(folder).glob("lib*.so"))
        if len(found) != 1:
            raise FileNotFoundError(f"{folder} is not an artifact of 'emulsion compile'")
        self.name = found[0].stem[3:]
        self.weights = found[0].parent / f"{self.name}.weights"
        self.library = ctypes.CDLL(str(found[0].resolve()))
        self.inputs = self._tensors("input")
        self.outputs = self._tensors("output")

    def function(self, name, result=ctypes.c_int, arguments=()):
        function = getattr(self.library, f"{self.name}_{name}")
        function.restype = result
        function.argtypes = arguments
        return function

    def _tensors(self, kind):
        info = self.function(f"{kind}_info", ctypes.POINTER(TensorInfo), [ctypes.c_int])
        return [Tensor(info(i).contents) for i in range(self.function(f"{kind}_count")())]


class Artifact:
    """A context with its inputs and outputs bound."""

    def __init__(self, folder, inputs, threads):
        self.version = ""
        library = Library(folder)
        self.library = library
        library.function("set_threads", None, [ctypes.c_int])(threads)
        self.context = ctypes.c_void_p()
        opened = library.function("open", arguments=[ctypes.c_char_p, ctypes.c_void_p])
        self._check(opened(str(library.weights).encode(), ctypes.byref(self.context)))
        self.arrays = [numpy.ascontiguousarray(inputs[t.name], t.dtype) for t in library.inputs]
        self.results = [numpy.empty(t.shape, t.dtype) for t in library.outputs]
        pointers = lambda arrays: (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        self.arguments = (self.context, pointers(self.arrays), pointers(self.results))
        self.call = library.function("run", arguments=[ctypes.c_void_p] * 3)

    def _check(self, error):
        if error:
            text = self.library.function("error_text", ctypes.c_char_p, [ctypes.c_int])(error)
            raise RuntimeError(text.decode())

    def run(self):
        self._check(self.call(*self.arguments))

    def outputs(self):
        return {t.name: a.copy() for t, a in zip(self.library.outputs, self.results)}
