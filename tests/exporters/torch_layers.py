"""Single layers and short chains in PyTorch, as models/ has them: each after a convolution where that is
what a network would have.

LAYERS and the other dictionaries map a name to a function that makes (module, inputs).
"""

import torch
from torch import nn
from torch.nn import functional as F


class Lambda(nn.Module):
    """What `function` does with the inputs, with `modules` as its first arguments."""

    def __init__(self, function, *modules):
        super().__init__()
        self.function = function
        self.parts = nn.ModuleList(modules)

    def forward(self, *inputs):
        return self.function(*self.parts, *inputs)


def seeded(make, seed):
    """The (module, inputs) that `make` makes, the same for the same seed, in inference mode, with batch
    norms as they are after training."""
    torch.manual_seed(seed)
    module, inputs = make()
    for part in module.modules():
        if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)) and part.affine:
            if getattr(module, "equal_norms", False):
                torch.manual_seed(seed)
            nn.init.uniform_(part.weight, 0.5, 1.5)
            nn.init.normal_(part.bias, std=0.2)
            nn.init.normal_(part.running_mean, std=0.2)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
    return module.eval(), inputs


def image(channels=3, height=8, width=8, batch=1):
    return torch.randn(batch, channels, height, width)


def conv(inputs=3, outputs=8, **options):
    return nn.Conv2d(inputs, outputs, 3, padding=1, **options)


def activation(act):
    return lambda: (nn.Sequential(conv(), act(), conv(8, 4)), (image(),))


def after_conv(function, *modules, channels=8):
    return lambda: (Lambda(lambda c, *rest: function(*rest[:-1], c(rest[-1])),
                           conv(3, channels), *(make() for make in modules)), (image(),))


def of(function, *shapes):
    return lambda: (Lambda(function), tuple(torch.randn(*shape) for shape in shapes))


ACTIVATIONS = {
    name: activation(act)
    for name, act in {
        "relu": nn.ReLU, "relu6": nn.ReLU6, "silu": nn.SiLU, "mish": nn.Mish,
        "hardswish": nn.Hardswish, "hardsigmoid": nn.Hardsigmoid, "hardtanh": nn.Hardtanh,
        "gelu": nn.GELU, "gelu_tanh": lambda: nn.GELU(approximate="tanh"),
        "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "softplus": nn.Softplus,
        "softplus_beta": lambda: nn.Softplus(beta=2), "softsign": nn.Softsign, "elu": nn.ELU,
        "selu": nn.SELU, "celu": lambda: nn.CELU(0.7), "leaky_relu": lambda: nn.LeakyReLU(0.1),
        "prelu": lambda: nn.PReLU(8), "prelu_shared": nn.PReLU, "logsigmoid": nn.LogSigmoid,
        "softshrink": nn.Softshrink, "hardshrink": nn.Hardshrink, "tanhshrink": nn.Tanhshrink,
    }.items()
}
# As older code writes them by hand.
ACTIVATIONS |= {
    "swish_by_hand": after_conv(lambda x: x * torch.sigmoid(x)),
    "mish_by_hand": after_conv(lambda x: x * torch.tanh(F.softplus(x))),
    "hardswish_by_hand": after_conv(lambda x: x * F.relu6(x + 3) / 6),
    "hardswish_clamp": after_conv(lambda x: x * (x + 3).clamp(0, 6) / 6),
    "hardsigmoid_by_hand": after_conv(lambda x: F.relu6(x + 3) / 6),
    "gelu_tanh_by_hand": after_conv(
        lambda x: 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))),
    "quick_gelu": after_conv(lambda x: x * torch.sigmoid(1.702 * x)),
    "glu": after_conv(lambda x: F.glu(x, dim=1)),
}

NORMS = {
    "layer_norm": lambda: (nn.Sequential(nn.Linear(16, 16), nn.LayerNorm(16)),
                           (torch.randn(2, 5, 16),)),
    "layer_norm_plain": lambda: (nn.LayerNorm((4, 8), elementwise_affine=False),
                                 (torch.randn(2, 5, 4, 8),)),
    "layer_norm_channels": after_conv(
        lambda norm, x: norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2), lambda: nn.LayerNorm(8)),
    "group_norm": after_conv(lambda norm, x: norm(x), lambda: nn.GroupNorm(4, 8)),
    "instance_norm": after_conv(lambda norm, x: norm(x), lambda: nn.InstanceNorm2d(8)),
    "instance_norm_affine": after_conv(lambda norm, x: norm(x),
                                       lambda: nn.InstanceNorm2d(8, affine=True)),
    "local_response_norm": after_conv(lambda norm, x: norm(x), lambda: nn.LocalResponseNorm(5)),
    "rms_norm": lambda: (nn.Sequential(nn.Linear(16, 16), nn.RMSNorm(16)),
                         (torch.randn(2, 5, 16),)),
    "rms_norm_by_hand": of(lambda x: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6),
                           (2, 5, 16)),
    "normalize": of(lambda x: F.normalize(x, dim=1), (2, 8, 4, 4)),
    "weight_norm": lambda: (nn.utils.parametrizations.weight_norm(nn.Linear(16, 8)),
                            (torch.randn(2, 16),)),
    "batch_norm_1d": lambda: (nn.Sequential(nn.Linear(16, 8), nn.BatchNorm1d(8), nn.ReLU()),
                              (torch.randn(4, 16),)),
    "batch_norm_plain": lambda: (nn.Sequential(conv(), nn.BatchNorm2d(8, affine=False)),
                                 (image(),)),
}

RESAMPLING = {
    "nearest_scale": after_conv(lambda x: F.interpolate(x, scale_factor=2.0, mode="nearest")),
    "nearest_size": after_conv(lambda x: F.interpolate(x, size=(12, 20), mode="nearest")),
    "nearest_like": lambda: (
        Lambda(lambda down, x: x + F.interpolate(down(x), size=x.shape[2:], mode="nearest"),
               nn.Conv2d(3, 3, 3, stride=2, padding=1)), (image(),)),
    "nearest_exact": after_conv(lambda x: F.interpolate(x, scale_factor=1.5, mode="nearest-exact")),
    "bilinear_scale": after_conv(
        lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)),
    "bilinear_size": after_conv(
        lambda x: F.interpolate(x, size=(13, 5), mode="bilinear", align_corners=False)),
    "bilinear_corners": after_conv(
        lambda x: F.interpolate(x, size=(15, 15), mode="bilinear", align_corners=True)),
    "bilinear_odd_scale": after_conv(
        lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear", align_corners=False)),
    "bicubic": after_conv(
        lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic", align_corners=False)),
    "linear_1d": of(lambda x: F.interpolate(x, scale_factor=2.0, mode="linear"), (1, 4, 10)),
    "upsample_module": after_conv(
        lambda up, x: up(x), lambda: nn.Upsample(scale_factor=2, mode="bilinear")),
    "pixel_shuffle": after_conv(lambda x: F.pixel_shuffle(x, 2)),
    "pixel_unshuffle": after_conv(lambda x: F.pixel_unshuffle(x, 2)),
    "grid_sample": lambda: (
        Lambda(lambda x, grid: F.grid_sample(x, grid.tanh(), align_corners=False)),
        (image(), torch.randn(1, 6, 6, 2))),
    "conv_transpose": lambda: (
        nn.Sequential(conv(), nn.ConvTranspose2d(8, 4, 3, stride=2, padding=1, output_padding=1)),
        (image(),)),
    "conv_transpose_2x2": lambda: (
        nn.Sequential(conv(), nn.ConvTranspose2d(8, 4, 2, stride=2), nn.ReLU()), (image(),)),
    "conv_transpose_groups": lambda: (
        nn.ConvTranspose2d(4, 8, 4, stride=2, padding=1, groups=2, bias=False), (image(4),)),
}

POOLS = {
    "max_pool": after_conv(lambda x: F.max_pool2d(x, 3, 2, 1)),
    "max_pool_ceil": after_conv(lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True)),
    "max_pool_dilated": after_conv(lambda x: F.max_pool2d(x, 2, 1, dilation=2)),
    "avg_pool": after_conv(lambda x: F.avg_pool2d(x, 3, 2, 1)),
    "avg_pool_exclude": after_conv(lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)),
    "avg_pool_ceil": after_conv(lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True)),
    "adaptive_avg_1": after_conv(lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1)),
    "adaptive_avg_4": after_conv(lambda x: F.adaptive_avg_pool2d(x, 4)),
    "adaptive_avg_row": after_conv(lambda x: F.adaptive_avg_pool2d(x, (1, None))),
    "adaptive_avg_uneven": after_conv(lambda x: F.adaptive_avg_pool2d(x, 3)),
    "adaptive_max_1": after_conv(lambda x: F.adaptive_max_pool2d(x, 1)),
    "mean_axes": after_conv(lambda x: x.mean((2, 3))),
    "lp_pool": after_conv(lambda x: F.lp_pool2d(x.abs() + 0.1, 2, 2)),
    "pools_1d": of(lambda x: F.avg_pool1d(F.max_pool1d(x, 2), 2), (1, 4, 16)),
    "pools_3d": of(lambda x: F.avg_pool3d(F.max_pool3d(x, 2), 2), (1, 2, 8, 8, 8)),
}

SHAPES = {
    "flatten_view": after_conv(lambda x: x.view(x.size(0), -1)),
    "view_computed": after_conv(
        lambda x: x.view(x.size(0), x.size(1) // 2, 2, x.size(2) * x.size(3)).sum(2)),
    "reshape_heads": of(
        lambda x: x.reshape(x.shape[0], x.shape[1], 4, -1).transpose(1, 2), (2, 6, 16)),
    "split_cat": after_conv(lambda x: torch.cat(torch.split(x, [3, 5], 1)[::-1], 1)),
    "chunk_mul": after_conv(lambda x: torch.mul(*x.chunk(2, 1))),
    "unbind_stack": of(lambda x: torch.stack(x.unbind(1)[::-1], 2), (2, 3, 4)),
    "channel_shuffle": after_conv(
        lambda x: x.view(1, 2, 4, 8, 8).transpose(1, 2).contiguous().view(1, 8, 8, 8)),
    "channel_shuffle_function": after_conv(lambda x: F.channel_shuffle(x, 2)),
    "focus": lambda: (
        Lambda(lambda c, x: c(torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2],
                                         x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)),
               conv(12, 8)), (image(),)),
    "slices": after_conv(lambda x: x[:, 2:6, 1:-1, ::2]),
    "select": after_conv(lambda x: x[:, 3]),
    "narrow": after_conv(lambda x: x.narrow(2, 1, 4)),
    "flip": after_conv(lambda x: x.flip(2, 3)),
    "roll": after_conv(lambda x: torch.roll(x, (2, -3), (2, 3))),
    "index_list": after_conv(lambda x: x[:, [4, 0, 2]]),
    "index_select": after_conv(lambda x: x.index_select(1, torch.tensor([1, 1, 7]))),
    "gather": of(lambda x: x.gather(1, torch.tensor([[0, 2, 1], [3, 0, 0]])), (2, 4)),
    "expand": of(lambda x, y: x.expand(2, 3, 4) + y, (1, 3, 1), (2, 3, 4)),
    "repeat": of(lambda x: x.repeat(2, 1, 3), (1, 3, 4)),
    "repeat_interleave": of(lambda x: x.repeat_interleave(2, 1), (1, 3, 4)),
    "squeeze": of(lambda x: x.squeeze(1).unsqueeze(-1), (2, 1, 4)),
    "permute_matmul": of(lambda x, y: x @ y.transpose(-1, -2), (2, 3, 8), (2, 5, 8)),
    "einsum": of(lambda x, y: torch.einsum("bchw,bkc->bkhw", x, y), (1, 4, 5, 5), (1, 3, 4)),
    "unfold": after_conv(lambda x: F.unfold(x, 2, stride=2)),
    "meshgrid": after_conv(
        lambda x: x + torch.arange(x.shape[3], dtype=x.dtype).view(1, 1, 1, -1) * 0.1),
    "pad_zero": after_conv(lambda x: F.pad(x, (1, 2, 0, 1))),
    "pad_value": after_conv(lambda x: F.pad(x, (1, 1, 1, 1), value=0.5)),
    "pad_crop": after_conv(lambda x: F.pad(x, (-1, 1, 1, -1))),
    "pad_reflect": after_conv(lambda x: F.pad(x, (2, 1, 1, 2), mode="reflect")),
    "pad_replicate": after_conv(lambda x: F.pad(x, (2, 1, 1, 2), mode="replicate")),
    "pad_circular": after_conv(lambda x: F.pad(x, (2, 1, 1, 2), mode="circular")),
    "pad_conv": lambda: (nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3, 2)),
                         (image(),)),
    "conv_padding_mode": lambda: (nn.Conv2d(3, 8, 3, padding=1, padding_mode="reflect"),
                                  (image(),)),
    "conv_same": lambda: (nn.Conv2d(3, 8, 4, padding="same"), (image(),)),
}

ARITHMETIC = {
    "where": of(lambda x, y: torch.where(x > y, x, 2 * y), (2, 8), (2, 8)),
    "masked_fill": of(lambda x: x.masked_fill(x < 0, -2.0), (2, 8)),
    "causal_mask": of(
        lambda x: x.masked_fill(torch.triu(torch.ones(6, 6, dtype=torch.bool), 1),
                                float("-inf")).softmax(-1) * 9, (2, 6, 6)),
    "tril": of(torch.tril, (2, 6, 6)),
    "clamp": of(lambda x: x.clamp(min=-0.5) + x.clamp(-1, 0.3), (2, 8)),
    "min_max": of(lambda x, y: torch.maximum(x, y) - torch.minimum(x, y), (2, 8), (8,)),
    "reductions": of(
        lambda x: x.sum(1) + x.amax(1) - x.amin(1) + x.norm(dim=1) + x.logsumexp(1), (3, 6)),
    "variance": of(lambda x: x.var(1, keepdim=True) + x.std(1, keepdim=True, unbiased=False),
                   (3, 6)),
    "all_mean": of(lambda x: x - x.mean(), (3, 6)),
    "argmax": of(lambda x: x.argmax(1), (8, 64)),
    "softmax": of(lambda x: 9 * x.softmax(1), (2, 6, 3)),
    "log_softmax": of(lambda x: x.log_softmax(-1), (2, 6)),
    "cumsum": of(lambda x: x.cumsum(1), (2, 6)),
    "functions": of(
        lambda x: x.abs().sqrt() + x.exp() + x.sin() * x.cos() + torch.erf(x) + x.floor(), (2, 8)),
    "powers": of(lambda x: x ** 2 + x.abs() ** 0.5 + x.abs().reciprocal().log1p(), (2, 8)),
    "division": of(lambda x, y: torch.remainder(x, 0.7) + torch.div(y, 0.3, rounding_mode="floor"),
                   (2, 8), (2, 8)),
    "round": of(lambda x: (x * 3).round() + (x * 2).ceil() + x.sign(), (2, 8)),
    "casts": of(lambda x: (x * 5).int().float() + (x > 0).to(x.dtype) + x.double().float(), (2, 8)),
    "logic": of(lambda x, y: ((x > 0) & (y <= 0.5) | ~(x != y)).float() * 3, (2, 8), (2, 8)),
    "addmm": of(lambda a, b, c: torch.addmm(a, b, c, beta=0.5, alpha=2.0), (4, 6), (4, 5), (5, 6)),
    "baddbmm": of(lambda a, b, c: torch.baddbmm(a, b, c), (2, 4, 6), (2, 4, 5), (2, 5, 6)),
    "embedding": lambda: (nn.Embedding(10, 16), (torch.randint(0, 10, (2, 6)),)),
    "topk": of(lambda x: x.topk(3)[0], (2, 8)),
    "sort": of(lambda x: x.sort(1)[0], (2, 8)),
    "one_hot": lambda: (Lambda(lambda i: F.one_hot(i, 10).float()),
                        (torch.randint(0, 10, (2, 3)),)),
}
