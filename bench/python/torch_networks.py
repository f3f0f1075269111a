"""Small networks that torch_client.py has compiled and measured. A new one is added here and nowhere else.

PyTorch itself computes their matrix products and convolutions, whichever back end compiles the rest.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch_inputs import integers, network, normal


@network(normal(64, 256))
class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(256, 512), nn.Linear(512, 64)
        self.norm = nn.LayerNorm(512)

    def forward(self, x):
        return torch.log_softmax(self.second(F.gelu(self.norm(self.first(x)))), -1)


@network(normal(2, 64, 128))
class Transformer(nn.Module):
    """A block with attention that is written out."""

    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
        self.up, self.down = nn.Linear(128, 512), nn.Linear(512, 128)
        self.norm1, self.norm2 = nn.LayerNorm(128), nn.LayerNorm(128)

    def forward(self, x):
        batch, length, width = x.shape
        heads = self.qkv(self.norm1(x)).view(batch, length, 3, 4, 32).permute(2, 0, 3, 1, 4)
        q, k, v = heads.unbind(0)
        weights = torch.softmax(q @ k.transpose(-1, -2) * 32**-0.5, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


@network(normal(2, 3, 64, 64))
class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, padding=1)
        self.first, self.second = (nn.Conv2d(16, 16, 3, padding=1, bias=False) for _ in range(2))
        self.norms = nn.ModuleList(nn.BatchNorm2d(16) for _ in range(3))
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = torch.relu(self.norms[0](self.stem(x)))
        x = F.max_pool2d(x, 2)
        y = torch.relu(self.norms[1](self.first(x)))
        x = torch.relu(self.norms[2](self.second(y)) + x)
        return self.head(x.mean((2, 3)))


@network(normal(1, 8, 64, 64))
class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.middle = nn.Conv2d(8, 16, 3, padding=1), nn.Conv2d(16, 32, 3, padding=1)
        self.decode, self.norm = nn.Conv2d(48, 8, 3, padding=1), nn.GroupNorm(4, 32)

    def forward(self, x):
        fine = F.silu(self.encode(x))
        coarse = F.silu(self.norm(self.middle(F.avg_pool2d(fine, 2))))
        up = F.interpolate(coarse, scale_factor=2, mode="nearest")
        return torch.sigmoid(self.decode(torch.cat([fine, up], 1)))


@network(normal(32, 4, 64))
class Recurrent(nn.Module):
    """Four steps of an LSTM cell, written out."""

    def __init__(self):
        super().__init__()
        self.gates = nn.Linear(128, 256)

    def forward(self, x):
        hidden = cell = torch.zeros(x.shape[0], 64, dtype=x.dtype)
        for step in range(x.shape[1]):
            i, f, g, o = self.gates(torch.cat([x[:, step], hidden], 1)).chunk(4, 1)
            cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
            hidden = torch.sigmoid(o) * torch.tanh(cell)
        return hidden


@network(integers(128, 8, low=0, high=1000), normal(128, 16))
class Recommender(nn.Module):
    """Sums of embeddings and a dense part, their products, and a perceptron."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(1000, 32)
        self.dense, self.top = nn.Linear(16, 32), nn.Linear(64, 1)

    def forward(self, items, x):
        bag = self.table(items).mean(1)
        x = torch.relu(self.dense(x))
        return torch.sigmoid(self.top(torch.cat([bag * x, bag + x], 1)))


@network(normal("batch", 256, 3), sizes=[{"batch": 16}, {"batch": 3}])
class Points(nn.Module):
    """The largest features of sets of points, compiled once for all sizes of a batch."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.Linear(3, 32), nn.Linear(32, 64), nn.Linear(64, 8)

    def forward(self, x):
        x = torch.relu(self.second(torch.relu(self.first(x - x.mean(1, keepdim=True)))))
        return torch.softmax(self.head(x.amax(1)), -1)
