#!/usr/bin/env python3
"""Writes networks of torchvision as ONNX files, with random weights.

Usage (by tools/tuning-figures): torchvision_networks.py FOLDER NAME...

A file that is there already stays.
"""

import sys
import warnings
from pathlib import Path

import torch
import torchvision

OPSET = 17
# What networks have for training alone.
ARGUMENTS = {"googlenet": {"init_weights": True, "aux_logits": False}}


def write(name, path):
    torch.manual_seed(1)
    model = torchvision.models.get_model(name, weights=None, **ARGUMENTS.get(name, {})).eval()
    torch.onnx.export(model, (torch.randn(1, 3, 224, 224),), path, dynamo=False, opset_version=OPSET)


def main():
    folder = Path(sys.argv[1])
    warnings.simplefilter("ignore")  # of the exporter, about itself
    for name in sys.argv[2:]:
        path = folder / f"{name}.onnx"
        if not path.exists():
            write(name, path)


main()
