"""Blocks of networks in PyTorch: convolutions with batch norms, residual and inverted residual blocks,
attention, and whole tiny networks. BLOCKS maps a name to a function that makes (module, inputs)."""

import torch
from torch import nn
from torch.nn import functional as F

from torch_layers import Lambda, image


def conv_bn(inputs, outputs, kernel=3, stride=1, groups=1, act=nn.ReLU):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
              nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, *([act()] if act else []))


class SqueezeExcite(nn.Module):
    def __init__(self, channels, gate=nn.Sigmoid):
        super().__init__()
        self.down = nn.Conv2d(channels, channels // 4, 1)
        self.up = nn.Conv2d(channels // 4, channels, 1)
        self.gate = gate()

    def forward(self, x):
        squeezed = F.adaptive_avg_pool2d(x, 1)
        return x * self.gate(self.up(F.relu(self.down(squeezed))))


class SqueezeExciteLinear(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(channels, channels // 4), nn.ReLU(),
                                    nn.Linear(channels // 4, channels), nn.Sigmoid())

    def forward(self, x):
        batch, channels = x.shape[:2]
        return x * self.layers(x.mean((2, 3))).view(batch, channels, 1, 1).expand_as(x)


class Residual(nn.Module):
    def __init__(self, channels, act=nn.ReLU):
        super().__init__()
        self.body = nn.Sequential(conv_bn(channels, channels, act=act),
                                  conv_bn(channels, channels, act=None))
        self.act = act()

    def forward(self, x):
        return self.act(x + self.body(x))


class InvertedResidual(nn.Module):
    def __init__(self, channels, act=nn.ReLU6, squeeze=None):
        super().__init__()
        inner = 4 * channels
        self.body = nn.Sequential(conv_bn(channels, inner, 1, act=act),
                                  conv_bn(inner, inner, groups=inner, act=act),
                                  squeeze(inner) if squeeze else nn.Identity(),
                                  conv_bn(inner, channels, 1, act=None))

    def forward(self, x):
        return x + self.body(x)


class DenseLayer(nn.Module):
    """Batch norm and ReLU go before the convolution: there is nothing to fold the norm into."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([
            nn.Sequential(nn.BatchNorm2d(n), nn.ReLU(), nn.Conv2d(n, 4, 3, padding=1, bias=False))
            for n in (8, 12)])

    def forward(self, x):
        for layer in self.layers:
            x = torch.cat([x, layer(x)], 1)
        return x


class SharedWeights(nn.Module):
    """One convolution at two scales, and equal weights of two layers: exporters keep one copy."""

    def __init__(self):
        super().__init__()
        self.head = conv_bn(8, 8)
        self.first = nn.Conv2d(3, 8, 3, padding=1)
        self.second = nn.Conv2d(3, 8, 3, padding=1)
        with torch.no_grad():
            self.second.weight.copy_(self.first.weight)
            self.second.bias.copy_(self.first.bias)

    def forward(self, x):
        fine = self.head(self.first(x))
        return fine, self.head(F.max_pool2d(self.second(x * 0.5), 2))


class EqualNorms(nn.Module):
    """Batch norms with equal weights: TorchScript's exporter shares them by Identity nodes."""

    equal_norms = True

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(*(nn.Sequential(nn.Conv2d(c, 8, 3, padding=1, bias=False),
                                                    nn.BatchNorm2d(8), nn.ReLU())
                                      for c in (3, 8, 8)))

    def forward(self, x):
        return self.layers(x)


class ConvNeXt(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 7, padding=3, groups=channels)
        self.norm = nn.LayerNorm(channels)
        self.up = nn.Linear(channels, 4 * channels)
        self.down = nn.Linear(4 * channels, channels)
        self.scale = nn.Parameter(torch.rand(channels))

    def forward(self, x):
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        return x + (self.scale * self.down(F.gelu(self.up(y)))).permute(0, 3, 1, 2)


class ViT(nn.Module):
    def __init__(self, width=16, classes=10):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 4, 4)
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.places = nn.Parameter(torch.randn(1, 5, width))
        self.layer = nn.TransformerEncoderLayer(width, 4, 32, activation="gelu", batch_first=True,
                                                norm_first=True, dropout=0.0)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.places
        return self.head(self.layer(x)[:, 0])


class Attention(nn.Module):
    """As timm writes it: one product for queries, keys and values."""

    def __init__(self, width=16, heads=4, fused=False):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, places, width = x.shape
        qkv = self.qkv(x).reshape(batch, places, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            y = ((q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)).softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, places, width))


class Windows(nn.Module):
    """The shifted windows of a Swin transformer: a roll, a partition, its inverse."""

    def __init__(self, width=16, window=4):
        super().__init__()
        self.window = window
        self.attention = Attention(width)

    def forward(self, x):
        batch, height, across, width = x.shape
        w = self.window
        y = torch.roll(x, (-2, -2), (1, 2)).view(batch, height // w, w, across // w, w, width)
        y = self.attention(y.permute(0, 1, 3, 2, 4, 5).reshape(-1, w * w, width))
        y = y.view(batch, height // w, across // w, w, w, width).permute(0, 1, 3, 2, 4, 5)
        return x + torch.roll(y.reshape(batch, height, across, width), (2, 2), (1, 2))


class YoloHead(nn.Module):
    """Convolutions with Mish, upsampling and concatenation, and boxes from raw outputs."""

    def __init__(self, anchors=2, classes=3):
        super().__init__()
        self.down = conv_bn(3, 8, stride=2, act=nn.Mish)
        self.deep = conv_bn(8, 8, stride=2, act=nn.SiLU)
        self.join = conv_bn(16, 8, 1, act=lambda: nn.LeakyReLU(0.1))
        self.raw = nn.Conv2d(8, anchors * (5 + classes), 1)
        self.anchors = anchors

    def forward(self, x):
        fine = self.down(x)
        y = self.join(torch.cat([fine, F.interpolate(self.deep(fine), scale_factor=2)], 1))
        y = self.raw(y)
        batch, _, height, width = y.shape
        y = y.view(batch, self.anchors, -1, height, width).permute(0, 1, 3, 4, 2)
        xy = (y[..., :2].sigmoid() * 2 - 0.5) / width
        sizes = y[..., 2:4].exp()
        return torch.cat([xy, sizes, y[..., 4:].sigmoid()], -1).view(batch, -1, y.shape[-1])


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.outer = conv_bn(3, 8)
        self.inner = conv_bn(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)
        self.last = nn.Conv2d(16, 4, 1)

    def forward(self, x):
        outer = self.outer(x)
        inner = self.up(self.inner(F.max_pool2d(outer, 2)))
        return self.last(torch.cat([outer, inner], 1))


class TinyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(conv_bn(3, 8, stride=2, act=nn.Hardswish),
                                      InvertedResidual(8, nn.Hardswish,
                                                       lambda c: SqueezeExcite(c, nn.Hardsigmoid)),
                                      nn.AdaptiveAvgPool2d(1))
        self.head = nn.Sequential(nn.Linear(8, 16), nn.Hardswish(), nn.Dropout(0.2),
                                  nn.Linear(16, 10))

    def forward(self, x):
        return self.head(torch.flatten(self.features(x), 1))


def sequence(width=16, places=6, batch=2):
    return torch.randn(batch, places, width)


BLOCKS = {
    "conv_bn_relu": lambda: (nn.Sequential(conv_bn(3, 8), conv_bn(8, 8)), (image(),)),
    "conv_bn_mish": lambda: (conv_bn(3, 8, act=nn.Mish), (image(),)),
    "conv_bn_silu": lambda: (conv_bn(3, 8, act=nn.SiLU), (image(),)),
    "conv_bias_bn": lambda: (nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)), (image(),)),
    "conv_transpose_bn": lambda: (
        nn.Sequential(nn.ConvTranspose2d(3, 8, 2, 2), nn.BatchNorm2d(8), nn.ReLU()), (image(),)),
    "conv_1d": lambda: (
        nn.Sequential(nn.Conv1d(4, 8, 5, padding=2), nn.BatchNorm1d(8), nn.ReLU()),
        (torch.randn(1, 4, 20),)),
    "conv_3d": lambda: (nn.Sequential(nn.Conv3d(2, 4, 3, padding=1), nn.BatchNorm3d(4), nn.ReLU()),
                        (torch.randn(1, 2, 5, 6, 7),)),
    "conv_grouped": lambda: (conv_bn(8, 16, groups=4), (image(8),)),
    "conv_dilated": lambda: (nn.Conv2d(3, 8, 3, padding=2, dilation=2), (image(),)),
    "depthwise_separable": lambda: (
        nn.Sequential(conv_bn(8, 8, groups=8), conv_bn(8, 16, 1)), (image(8),)),
    "shared_weights": lambda: (SharedWeights(), (image(),)),
    "equal_norms": lambda: (EqualNorms(), (image(),)),
    "squeeze_excite": lambda: (nn.Sequential(conv_bn(3, 8, act=nn.SiLU), SqueezeExcite(8)),
                               (image(),)),
    "squeeze_excite_linear": lambda: (
        nn.Sequential(conv_bn(3, 8, act=nn.SiLU), SqueezeExciteLinear(8)), (image(batch=2),)),
    "residual": lambda: (Residual(8), (image(8),)),
    "residual_silu": lambda: (Residual(8, nn.SiLU), (image(8),)),
    "inverted_residual": lambda: (InvertedResidual(4), (image(4),)),
    "dense": lambda: (DenseLayer(), (image(8),)),
    "convnext": lambda: (ConvNeXt(8), (image(8),)),
    "unet": lambda: (UNet(), (image(),)),
    "yolo_head": lambda: (YoloHead(), (image(),)),
    "tiny_net": lambda: (TinyNet(), (image(height=16, width=16),)),
    "vit": lambda: (ViT(), (image(),)),
    "attention": lambda: (Attention(), (sequence(),)),
    "attention_causal": lambda: (Attention(fused=True), (sequence(),)),
    "multihead_attention": lambda: (
        Lambda(lambda a, x: a(x, x, x, need_weights=False)[0],
               nn.MultiheadAttention(16, 4, batch_first=True)), (sequence(),)),
    "multihead_weights": lambda: (
        Lambda(lambda a, x, y: a(x, y, y), nn.MultiheadAttention(16, 4, batch_first=True)),
        (sequence(), sequence(places=4))),
    "encoder_layer": lambda: (
        nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, dropout=0.0), (sequence(),)),
    "encoder_layer_gelu": lambda: (
        nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", norm_first=True, batch_first=True,
                                   dropout=0.0), (sequence(),)),
    "decoder_layer": lambda: (
        nn.TransformerDecoderLayer(16, 4, 32, batch_first=True, dropout=0.0),
        (sequence(), sequence(places=4))),
    "windows": lambda: (Windows(), (torch.randn(1, 8, 8, 16),)),
    "mlp": lambda: (nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16)), (sequence(),)),
    "lstm": lambda: (Lambda(lambda r, x: r(x)[0], nn.LSTM(8, 8, batch_first=True)),
                     (sequence(8),)),
    "gru": lambda: (Lambda(lambda r, x: r(x)[0], nn.GRU(8, 8, batch_first=True)), (sequence(8),)),
}
