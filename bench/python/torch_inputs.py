"""What the functions of torch_functions.py and torch_networks.py are called with.

A function's parameters have its inputs as defaults, and @function adds it to the list that is measured:

    @function("reductions")
    def softmax(x=normal(64, 1000)):
        return torch.softmax(x, -1)

A size may be a name, of a function that is compiled once for all sizes:

    @function("reductions", sizes=[{"rows": 64}, {"rows": 37}])
    def dynamic_softmax(x=normal("rows", 1000)):
        ...

It is measured with the first of the sizes, and its results are compared for all of them.
"""

import inspect
from dataclasses import dataclass
from typing import Callable

import torch

CLASSES = ("element-wise", "reductions", "stencils", "transposes", "gathers", "integers", "networks")


@dataclass(frozen=True)
class Input:
    """A tensor of random elements: draw(shape, generator) makes them."""

    shape: tuple
    draw: Callable

    def tensor(self, sizes, generator):
        return self.draw([sizes.get(size, size) for size in self.shape], generator)


def normal(*shape):
    return Input(shape, lambda shape, g: torch.randn(shape, generator=g))


def uniform(*shape, low=0.0, high=1.0):
    return Input(shape, lambda shape, g: torch.rand(shape, generator=g) * (high - low) + low)


def integers(*shape, low=0, high=100, dtype=torch.int64):
    return Input(shape, lambda shape, g: torch.randint(low, high, shape, generator=g, dtype=dtype))


def booleans(*shape):
    return Input(shape, lambda shape, g: torch.rand(shape, generator=g) < 0.5)


@dataclass(frozen=True)
class Subject:
    """A function or network to be compiled. make() gives the callable: new weights, but always the same."""

    name: str
    kind: str
    make: Callable
    inputs: tuple
    sizes: tuple

    @property
    def dynamic(self):
        return len(self.sizes) > 1

    def tensors(self, sizes, seed):
        """Inputs. Equal seeds give equal ones."""
        generator = torch.Generator().manual_seed(seed)
        return [value.tensor(sizes, generator) for value in self.inputs]


SUBJECTS: dict[str, Subject] = {}


def add(name, kind, make, inputs, sizes):
    if kind not in CLASSES:
        raise ValueError(f"{name} is of class {kind!r}, and there are {', '.join(CLASSES)}")
    SUBJECTS[name] = Subject(name, kind, make, tuple(inputs), tuple(sizes or ({},)))


def function(kind, sizes=None):
    def register(body):
        inputs = [p.default for p in inspect.signature(body).parameters.values()]
        add(body.__name__, kind, lambda: body, inputs, sizes)
        return body

    return register


def network(*inputs, sizes=None):
    """Of a subclass of torch.nn.Module; its forward() gets the inputs."""

    def register(module):
        def make():
            torch.manual_seed(1)
            return module().eval()

        add(module.__name__.lower(), "networks", make, inputs, sizes)
        return module

    return register
