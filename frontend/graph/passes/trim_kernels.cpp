// Trim kernels: weights that only ever meet padding go, as those of a window dilated beyond its image do:
//
//     Conv(x, W, dilation d, pads p)   ->   Conv(x, W[first .. last], dilation d, pads p')
//
// where the taps before `first` and behind `last` lie outside of x in every window. (Infinite weights there would have made NaN
// of the zeros.)
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "frontend/graph/pass.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

constexpr size_t kFirstSpatialAxis = 2;  // of data, weights and result
constexpr int64_t kMostCoordinate = int64_t{1} << 30;

// The windows along an axis, and which taps of them are kept.
struct Trimmed {
    int64_t first = 0, taps = 1;
    int64_t pad_before = 0, pad_after = 0;
};

// Window `o` of `output` has tap `k` at o * stride + k * dilation - pad_before.
struct Windows {
    int64_t input, output, kernel, stride, dilation, pad_before;

    bool meets_data(int64_t tap) const {
        const int64_t at = tap * dilation - pad_before;
        // The first window that has it behind the start of the data.
        const int64_t window = at >= 0 ? 0 : ceil_div(-at, stride);
        return window < output && window * stride + at < input;
    }

    // Nothing where all taps meet data, none does, or those that do would have to begin inside of it.
    std::optional<Trimmed> trimmed() const {
        int64_t first = 0, last = kernel - 1;
        while (first < last && !meets_data(first)) {
            first++;
        }
        while (last > first && !meets_data(last)) {
            last--;
        }
        Trimmed result{first, last - first + 1, pad_before - first * dilation, 0};
        const int64_t read = (output - 1) * stride + (result.taps - 1) * dilation + 1;
        result.pad_after = read - input - result.pad_before;
        if (result.taps == kernel || !meets_data(first) || result.pad_before < 0) {
            return {};
        }
        // Fewer elements than there are may be read: as many windows fit as long as it isn't a stride less.
        if (result.pad_after < 0) {
            if (result.pad_after <= -stride) {
                return {};
            }
            result.pad_after = 0;
        }
        return result;
    }
};

bool is_small(int64_t n) { return n >= 0 && n < kMostCoordinate; }

// Along each spatial axis of a convolution with constant weights; nothing where it has attributes that are refused later.
std::vector<Windows> windows_of(const Graph &graph, const Node &conv) {
    const Tensor &data = graph.tensor(conv.inputs[0]);
    const Tensor &result = graph.tensor(conv.result());
    const Tensor &weights = graph.tensor(conv.inputs[1]);
    if (!weights.is_constant() || conv.text("auto_pad", "NOTSET") != "NOTSET" ||
        data.rank() <= static_cast<int>(kFirstSpatialAxis) || weights.rank() != data.rank() ||
        result.rank() != data.rank()) {
        return {};
    }
    const size_t axes = static_cast<size_t>(data.rank()) - kFirstSpatialAxis;
    const std::vector<int64_t> ones(axes, 1);
    const std::vector<int64_t> strides = conv.integers("strides", ones),
                               dilations = conv.integers("dilations", ones),
                               pads = conv.integers("pads", std::vector<int64_t>(2 * axes, 0));
    if (strides.size() != axes || dilations.size() != axes || pads.size() != 2 * axes) {
        return {};
    }
    std::vector<Windows> found;
    for (size_t i = 0; i < axes; i++) {
        const size_t axis = i + kFirstSpatialAxis;
        const Windows w{data.extents()[axis], result.extents()[axis], weights.extents()[axis],
                        strides[i],           dilations[i],           pads[i]};
        if (!is_small(w.input) || !is_small(w.output) || !is_small(w.stride - 1) ||
            !is_small(w.dilation - 1) || !is_small(w.pad_before) || w.kernel < 1 || w.output < 1) {
            return {};
        }
        found.push_back(w);
    }
    return found;
}

// The elements of `weights` at the taps that are kept.
std::vector<std::byte> kept_weights(const Tensor &weights, const std::vector<Trimmed> &kept) {
    const std::vector<int64_t> extents = weights.extents();
    const auto bytes = static_cast<int64_t>(size_of(weights.type));
    int64_t kernels = extents[0] * extents[1];
    std::vector<std::byte> out(weights.constant->bytes,
                               weights.constant->bytes + weights.constant->size);
    int64_t inner = bytes;
    for (size_t axis = extents.size(); axis-- > kFirstSpatialAxis;) {
        // All axes behind this one are trimmed.
        const Trimmed &along = kept[axis - kFirstSpatialAxis];
        int64_t outer = kernels;
        for (size_t other = kFirstSpatialAxis; other < axis; other++) {
            outer *= extents[other];
        }
        std::vector<std::byte> next(static_cast<size_t>(outer * along.taps * inner));
        for (int64_t i = 0; i < outer; i++) {
            std::memcpy(next.data() + i * along.taps * inner,
                        out.data() + (i * extents[axis] + along.first) * inner,
                        static_cast<size_t>(along.taps * inner));
        }
        out = std::move(next);
        inner *= along.taps;
    }
    return out;
}

void trim(Graph &graph, Node &conv, UnusedNames &names) {
    std::vector<Trimmed> kept;
    bool changes = false;
    for (const Windows &axis : windows_of(graph, conv)) {
        const auto trimmed = axis.trimmed();
        changes = changes || trimmed;
        kept.push_back(trimmed.value_or(Trimmed{0, axis.kernel, axis.pad_before, 0}));
    }
    if (!changes) {
        return;
    }
    Tensor weights = graph.tensor(conv.inputs[1]);
    std::vector<int64_t> pads = conv.integers("pads", std::vector<int64_t>(2 * kept.size(), 0));
    std::vector<int64_t> kernel;
    weights.constant = make_constant(kept_weights(weights, kept));
    for (size_t i = 0; i < kept.size(); i++) {
        kernel.push_back(kept[i].taps);
        if (weights.extents()[i + kFirstSpatialAxis] != kept[i].taps) {
            weights.shape[i + kFirstSpatialAxis] = Dim(kept[i].taps);
            pads[i] = kept[i].pad_before;
            pads[i + kept.size()] = kept[i].pad_after;
        }
    }
    weights.name = names.make(weights.name + "/trimmed");
    conv.inputs[1] = graph.add_tensor(std::move(weights));
    conv.attributes["pads"] = pads;
    conv.attributes["kernel_shape"] = kernel;
}

Graph trim_kernels(Graph graph) {
    UnusedNames names(graph);
    for (Node &node : graph.nodes) {
        if (node.operator_type == "Conv" && node.domain.empty() && node.inputs.size() > 1 &&
            node.inputs[0] != kNoTensor && node.inputs[1] != kNoTensor) {
            trim(graph, node, names);
        }
    }
    return graph;
}

}  // namespace

const Pass &graph_pass_trim_kernels() {
    static const Pass pass = {"trim-kernels",
                              "Conv(x, W) -> Conv(x, W[taps that meet more than padding])", 35,
                              trim_kernels};
    return pass;
}

}  // namespace emulsion
