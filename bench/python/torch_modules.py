"""Small networks of PyTorch of kinds that torchvision lacks: a U-Net, a network for super-resolution, a transformer's encoder."""

import torch
from torch import nn
from torch.nn import functional


def double_convolution(channels, out):
    layers = []
    for before in (channels, out):
        layers += [nn.Conv2d(before, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU()]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    """Four levels; what goes down is concatenated to what comes up."""

    CHANNELS = (24, 48, 96, 192)

    def __init__(self):
        super().__init__()
        pairs = list(zip(self.CHANNELS, self.CHANNELS[1:]))
        self.down = nn.ModuleList([double_convolution(a, b) for a, b in [(3, self.CHANNELS[0]), *pairs]])
        self.up = nn.ModuleList([nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in reversed(pairs)])
        self.join = nn.ModuleList([double_convolution(2 * a, a) for a, _ in reversed(pairs)])
        self.classes = nn.Conv2d(self.CHANNELS[0], 2, 1)

    def forward(self, x):
        kept = []
        for level in self.down[:-1]:
            x = level(x)
            kept.append(x)
            x = functional.max_pool2d(x, 2)
        x = self.down[-1](x)
        for up, join in zip(self.up, self.join):
            x = join(torch.cat([up(x), kept.pop()], 1))
        return self.classes(x)


def super_resolution():
    """Three times as wide and high, by a last convolution whose channels are dealt out to pixels."""
    return nn.Sequential(
        nn.Conv2d(1, 64, 5, padding=2), nn.Tanh(), nn.Conv2d(64, 64, 3, padding=1), nn.Tanh(),
        nn.Conv2d(64, 32, 3, padding=1), nn.Tanh(), nn.Conv2d(32, 9, 3, padding=1), nn.PixelShuffle(3))


class EncoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])

    def forward(self, x):
        batch, tokens, width = x.shape

        def by_head(y):
            return y.reshape(batch, tokens, self.heads, width // self.heads).transpose(1, 2)

        query, key, value = by_head(self.query(x)), by_head(self.key(x)), by_head(self.value(x))
        weights = torch.softmax(query @ key.transpose(-1, -2) / (width // self.heads) ** 0.5, -1)
        attended = (weights @ value).transpose(1, 2).reshape(batch, tokens, width)
        x = self.norms[0](x + self.out(attended))
        return self.norms[1](x + self.narrow(functional.gelu(self.widen(x))))


class Encoder(nn.Module):
    """Of a small BERT, behind its embedding of words."""

    def __init__(self, width=256, heads=4, layers=4, tokens=128):
        super().__init__()
        self.embedding = nn.Linear(64, width)
        self.positions = nn.Parameter(torch.randn(1, tokens, width) * 0.02)
        self.layers = nn.Sequential(*[EncoderLayer(width, heads) for _ in range(layers)])

    def forward(self, x):
        return self.layers(self.embedding(x) + self.positions)


# By name: what makes one, and the shape of its input.
MODULES = {
    "unet": (UNet, (1, 3, 192, 192)),
    "super_resolution": (super_resolution, (1, 1, 180, 240)),
    "encoder": (Encoder, (1, 128, 64)),
}
