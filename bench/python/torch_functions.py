"""Functions that torch_client.py has compiled and measured. A new one is added here and nowhere else."""

import torch
import torch.nn.functional as F
from torch_inputs import booleans, function, integers, normal, uniform

MILLION = 1 << 20


# Element-wise


@function("element-wise")
def polynomial(x=normal(MILLION)):
    return ((0.3 * x - 1.1) * x + 0.7) * x * x - 0.2 * x + 1.0


@function("element-wise")
def scaled_bias(x=normal(512, 2048), scale=normal(512, 1), bias=normal(2048)):
    return torch.relu(x * scale + bias)


@function("element-wise")
def gelu(x=normal(MILLION)):
    return F.gelu(x)


@function("element-wise")
def gated_silu(gate=normal(256, 4096), up=normal(256, 4096)):
    return F.silu(gate) * up


@function("element-wise")
def sigmoid_tanh_sqrt(x=normal(MILLION)):
    return torch.sigmoid(x) + torch.tanh(x) * torch.sqrt(x.abs())


@function("element-wise")
def elu_where(x=normal(MILLION), y=normal(MILLION)):
    return torch.where(x > 0, x * y, torch.exp(x) - 1.0)


@function("element-wise")
def softplus(x=normal(MILLION)):
    return torch.log1p(torch.exp(-x.abs())) + torch.clamp(x, min=0.0)


@function("element-wise")
def polar(x=normal(512, 512), y=normal(512, 512)):
    return torch.sqrt(x * x + y * y), torch.atan2(y, x)


@function("element-wise")
def adam_step(p=normal(MILLION), g=normal(MILLION), m=normal(MILLION), v=uniform(MILLION)):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 0.01 * m / (torch.sqrt(v) + 1e-8), m, v


@function("element-wise", sizes=[{"n": MILLION}, {"n": 1003}, {"n": 77}])
def dynamic_chain(x=normal("n"), y=normal("n")):
    return torch.relu(x * y + 0.5) - y


# Reductions


@function("reductions")
def softmax(x=normal(64, 1000)):
    return torch.softmax(x, -1)


@function("reductions")
def softmax_of_columns(x=normal(1000, 256)):
    return torch.softmax(x, 0)


@function("reductions")
def log_softmax_loss(x=normal(256, 1000), labels=integers(256, low=0, high=1000)):
    return F.cross_entropy(x, labels)


@function("reductions")
def layer_norm_gelu(x=normal(256, 768), weight=normal(768), bias=normal(768)):
    return F.gelu(F.layer_norm(x, (768,), weight, bias))


@function("reductions")
def rms_norm(x=normal(512, 1024), weight=normal(1024)):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * weight


@function("reductions")
def instance_norm(x=normal(8, 32, 56, 56)):
    return F.instance_norm(x)


@function("reductions")
def group_norm_relu(x=normal(4, 64, 28, 28), weight=normal(64), bias=normal(64)):
    return torch.relu(F.group_norm(x, 8, weight, bias))


@function("reductions")
def batch_statistics(x=normal(16, 32, 28, 28)):
    mean = x.mean((0, 2, 3), keepdim=True)
    variance = ((x - mean) ** 2).mean((0, 2, 3), keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-5)


@function("reductions")
def sum_of_rows(x=normal(1024, 1024)):
    return x.sum(1)


@function("reductions")
def sum_of_columns(x=normal(1024, 1024)):
    return x.sum(0)


@function("reductions")
def mean_of_middle(x=normal(16, 256, 256)):
    return (x * x).mean(1)


@function("reductions")
def extrema(x=normal(32, 64, 128)):
    return x.amax((0, 2)), x.amin(1)


@function("reductions")
def squared_loss(x=normal(512, 512), y=normal(512, 512)):
    return ((x - y) ** 2).mean()


@function("reductions")
def argmax_of_rows(x=normal(256, 1000)):
    return x.argmax(1)


@function("reductions")
def log_sum_exp(x=normal(256, 512)):
    return torch.logsumexp(x, 1)


@function("reductions")
def cosine_similarity(x=normal(512, 512), y=normal(512, 512)):
    return (x * y).sum(1) * torch.rsqrt((x * x).sum(1) * (y * y).sum(1))


@function("reductions")
def distances(x=normal(128, 64), y=normal(128, 64)):
    return (x[:, None] - y[None]).abs().sum(-1)


@function("reductions")
def product_of_matrices(x=normal(128, 128), y=normal(128, 128)):
    return (x[:, :, None] * y[None]).sum(1)


@function("reductions")
def causal_softmax(scores=normal(8, 128, 128)):
    mask = torch.ones(128, 128, dtype=torch.bool).tril()
    # Not -inf: PyTorch's Halide back end takes fast_exp(), which gives NaN for it.
    return torch.softmax(torch.where(mask, scores * 0.125, -1e9), -1)


@function("reductions")
def attention(q=normal(4, 64, 32), k=normal(4, 64, 32), v=normal(4, 64, 32)):
    scores = (q[:, :, None] * k[:, None]).sum(-1) * 32**-0.5
    return (torch.softmax(scores, -1)[..., None] * v[:, None]).sum(2)


@function("reductions", sizes=[{"rows": 64, "columns": 1000}, {"rows": 37, "columns": 129},
                               {"rows": 5, "columns": 17}])
def dynamic_softmax(x=normal("rows", "columns")):
    return torch.softmax(x, -1)


@function("reductions", sizes=[{"rows": 256}, {"rows": 31}])
def dynamic_layer_norm(x=normal("rows", 768), weight=normal(768), bias=normal(768)):
    return F.layer_norm(x, (768,), weight, bias)


# Stencils


@function("stencils")
def blur(x=normal(512, 512)):
    rows = x[:-2] + 2.0 * x[1:-1] + x[2:]
    return (rows[:, :-2] + 2.0 * rows[:, 1:-1] + rows[:, 2:]) / 16.0


@function("stencils")
def edges(x=normal(512, 512)):
    p = F.pad(x, (1, 1, 1, 1))
    dx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    dy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return torch.sqrt(dx * dx + dy * dy)


@function("stencils")
def max_pool(x=normal(4, 32, 56, 56)):
    return F.max_pool2d(x, 3, 2, 1)


@function("stencils")
def average_pool(x=normal(4, 32, 56, 56)):
    return F.avg_pool2d(x, 2)


@function("stencils")
def bilinear_upsampling(x=normal(2, 16, 64, 64)):
    return F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)


@function("stencils")
def depthwise_filter(x=normal(32, 58, 58), weights=normal(32, 3, 3)):
    taps = [x[:, i : i + 56, j : j + 56] * weights[:, i, j, None, None] for i in range(3) for j in range(3)]
    return torch.relu(sum(taps))


@function("stencils")
def reflected_difference(x=normal(64, 64, 64)):
    p = F.pad(x, (2, 2), mode="reflect")
    return p[..., 4:] - 2.0 * p[..., 2:-2] + p[..., :-4]


@function("stencils")
def heat_step(x=normal(512, 512)):
    around = x.roll(1, 0) + x.roll(-1, 0) + x.roll(1, 1) + x.roll(-1, 1)
    return x + 0.1 * (around - 4.0 * x)


# Transposes, permutations and concatenations


@function("transposes")
def transpose_add(x=normal(512, 512), y=normal(512, 512)):
    return x.T.contiguous() + y


@function("transposes")
def image_to_planes(x=integers(4, 224, 224, 3, low=0, high=256, dtype=torch.uint8), mean=normal(3, 1, 1)):
    return (x.permute(0, 3, 1, 2).to(torch.float32).contiguous() / 255.0 - mean).contiguous()


@function("transposes")
def concatenation_permuted(x=normal(8, 32, 28, 28), y=normal(8, 32, 28, 28)):
    return torch.cat([x, y * 2.0], 1).permute(0, 2, 3, 1).contiguous()


@function("transposes")
def split_heads(x=normal(2, 256, 3 * 512)):
    q, k, v = x.view(2, 256, 3, 8, 64).permute(2, 0, 3, 1, 4).unbind(0)
    return (q * 0.125).contiguous(), k.transpose(-1, -2).contiguous(), v.contiguous()


@function("transposes")
def pixel_shuffle(x=normal(1, 64, 64, 64)):
    return F.pixel_shuffle(x, 2) * 0.5


@function("transposes")
def channel_shuffle(x=normal(4, 32, 28, 28)):
    return torch.relu(x.view(4, 4, 8, 28, 28).transpose(1, 2).reshape(4, 32, 28, 28))


@function("transposes")
def flipped(x=normal(16, 128, 128)):
    return x.flip(-1) + x.flip(-2)


@function("transposes", sizes=[{"n": 512, "m": 384}, {"n": 65, "m": 33}])
def dynamic_transpose(x=normal("n", "m"), y=normal("m", "n")):
    return x.T.contiguous() * y


# Gathers and scatters


@function("gathers")
def embedding(table=normal(4096, 256), index=integers(512, low=0, high=4096)):
    return F.embedding(index, table) * 16.0


@function("gathers")
def embedding_sum(table=normal(4096, 64), index=integers(256, 20, low=0, high=4096)):
    return F.embedding(index, table).sum(1)


@function("gathers")
def gather_columns(x=normal(512, 512), index=integers(512, 512, low=0, high=512)):
    return torch.gather(x, 1, index)


@function("gathers")
def table_of_bytes(x=integers(1024, 1024, low=0, high=256, dtype=torch.uint8), table=normal(256)):
    return table[x.to(torch.int64)]


@function("gathers")
def grid_sample(x=normal(2, 8, 64, 64), grid=uniform(2, 64, 64, 2, low=-1.1, high=1.1)):
    return F.grid_sample(x, grid, align_corners=False)


@function("gathers")
def scatter_sum(index=integers(4096, low=0, high=512), x=normal(4096, 32)):
    return torch.zeros(512, 32, dtype=x.dtype).index_add(0, index, x)


# Integers and booleans


@function("integers")
def count_bits(x=integers(MILLION, low=0, high=1 << 30, dtype=torch.int32)):
    # Of 30 bits: Halide takes it that sums of signed integers don't overflow.
    x = (x & 0x55555555) + ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x & 0x0F0F0F0F) + ((x >> 4) & 0x0F0F0F0F)
    x = (x & 0x00FF00FF) + ((x >> 8) & 0x00FF00FF)
    return (x & 0xFFFF) + ((x >> 16) & 0xFFFF)


@function("integers")
def quantize(x=normal(MILLION)):
    # By a power of two: rounded alike from products in single and in double precision.
    return torch.clamp(torch.round(x * 32.0), -128, 127).to(torch.int8)


@function("integers")
def division(x=integers(1 << 18, low=-10000, high=10000), y=integers(1 << 18, low=1, high=100)):
    return torch.div(x, y, rounding_mode="floor"), torch.remainder(x, y)


@function("integers")
def rows_with_any(x=normal(512, 512), mask=booleans(512, 512)):
    return ((x > 1.0) & mask).any(1), ((x < 3.0) | ~mask).all(1)


@function("integers")
def sum_of_bytes(x=integers(512, 1024, low=0, high=256, dtype=torch.uint8)):
    return x.to(torch.int32).sum(1)


@function("integers")
def game_of_life(x=integers(256, 256, low=0, high=2, dtype=torch.int32)):
    rows = x + x.roll(1, 0) + x.roll(-1, 0)
    around = rows + rows.roll(1, 1) + rows.roll(-1, 1) - x
    return ((around == 3) | ((x == 1) & (around == 2))).to(torch.int32)
