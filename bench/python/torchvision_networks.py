#!/usr/bin/env python3
"""Writes networks of torchvision, and those of torch_modules.py, as ONNX files, with random weights.
Batch norms keep values at the size that they have in trained networks: without, they may grow by orders of magnitude, and
results near zero are noise in any engine. Means stay: noise looks alike deep in a network, and what is left of it without
its mean is rounding.

Usage (by tools/tuning-figures and tools/network-figures): torchvision_networks.py FOLDER NAME...

A file that is there already stays.
"""

import sys
import warnings
from pathlib import Path

import torch
import torchvision
from torch import nn

from torch_modules import MODULES

OPSET = 17
# What networks have for training alone.
WITHOUT_AUXILIARY = {"init_weights": True, "aux_logits": False}
ARGUMENTS = {"googlenet": WITHOUT_AUXILIARY, "inception_v3": WITHOUT_AUXILIARY}
IMAGE_SIZES = {"inception_v3": 299}
SEGMENTATION_SIZE = 256


class Segmentation(nn.Module):
    """The classes of every pixel alone, of a network that returns a dictionary."""

    def __init__(self, name):
        super().__init__()
        self.network = torchvision.models.get_model(name, weights=None, weights_backbone=None)

    def forward(self, x):
        return self.network(x)["out"]


def is_segmentation(name):
    return name in torchvision.models.list_models(torchvision.models.segmentation)


def made(name):
    """The module and the shape of its input."""
    if name in MODULES:
        module, shape = MODULES[name]
        return module(), shape
    size = SEGMENTATION_SIZE if is_segmentation(name) else IMAGE_SIZES.get(name, 224)
    module = Segmentation(name) if is_segmentation(name) else torchvision.models.get_model(
        name, weights=None, **ARGUMENTS.get(name, {}))
    return module, (1, 3, size, size)


def keep_size(module, shape):
    """Gives the batch norms of a module the variances with which a random input keeps its size."""
    def take_variance(norm, inputs):
        norm.running_var.fill_(inputs[0].square().mean())

    hooks = [norm.register_forward_pre_hook(take_variance) for norm in module.modules()
             if isinstance(norm, nn.BatchNorm2d)]
    with torch.no_grad():
        module(torch.randn(shape))
    for hook in hooks:
        hook.remove()


def write(name, path):
    torch.manual_seed(1)
    module, shape = made(name)
    keep_size(module.eval(), shape)
    torch.onnx.export(module.eval(), (torch.randn(shape),), path, dynamo=False, opset_version=OPSET)


def main():
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")  # of the exporter, about itself
    for name in sys.argv[2:]:
        path = folder / f"{name}.onnx"
        if not path.exists():
            write(name, path)


main()
