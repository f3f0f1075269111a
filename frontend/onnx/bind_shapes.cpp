#include "frontend/onnx/bind_shapes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <vector>

#include "frontend/onnx/names.h"

namespace emulsion {

namespace {

using Dimension = onnx::TensorShapeProto::Dimension;

constexpr size_t kMostListed = 8;  // of the inputs, in a message

bool has_size(const Dimension &dim) { return dim.has_dim_value(); }
bool has_symbol(const Dimension &dim) { return dim.has_dim_param() && !dim.dim_param().empty(); }

std::string joined(const std::vector<int64_t> &sizes) {
    std::string text;
    for (const int64_t size : sizes) {
        text += (text.empty() ? "" : "x") + std::to_string(size);
    }
    return text;
}

class ShapeBinder {
public:
    ShapeBinder(onnx::GraphProto &graph, const InputShapes &shapes,
                const std::set<std::string> &constants)
        : shapes_(shapes) {
        for (onnx::ValueInfoProto &input : *graph.mutable_input()) {
            if (constants.count(input.name()) == 0 && input.type().has_tensor_type()) {
                inputs_.push_back(&input);
                collect_symbols(input);
            }
        }
    }

    // Inputs that stay without a size are refused.
    void run(Refused &refused) {
        for (const auto &[name, sizes] : shapes_) {
            give(name, sizes);
        }
        for (onnx::ValueInfoProto *input : inputs_) {
            if (!input->type().tensor_type().has_shape()) {
                continue;
            }
            for (Dimension &dim : *shape_of(*input).mutable_dim()) {
                if (has_symbol(dim) && sizes_.count(dim.dim_param()) != 0) {
                    dim.set_dim_value(sizes_.at(dim.dim_param()));
                }
            }
        }
        for (const onnx::ValueInfoProto *input : inputs_) {
            if (!is_known(*input)) {
                refused.refuse_value(input->name(), without_size(*input));
            }
        }
    }

private:
    static onnx::TensorShapeProto &shape_of(onnx::ValueInfoProto &input) {
        return *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    }

    void collect_symbols(const onnx::ValueInfoProto &input) {
        for (const Dimension &dim : input.type().tensor_type().shape().dim()) {
            if (has_symbol(dim)) {
                require_printable(dim.dim_param(),
                                  "the name of a dimension of graph input '" + input.name() + "'",
                                  {});
                symbols_.insert(dim.dim_param());
            }
        }
    }

    void give(const std::string &name, const std::vector<int64_t> &sizes) {
        for (const int64_t size : sizes) {
            if (size < 1) {
                throw Error("--shape " + name + "=" + joined(sizes) + ": sizes are at least 1");
            }
        }
        for (onnx::ValueInfoProto *input : inputs_) {
            if (input->name() == name) {
                give_input(*input, sizes);
                return;
            }
        }
        if (symbols_.count(name) == 0) {
            throw Error("--shape names '" + name + "', which is neither an input nor a symbol; " +
                        inventory());
        }
        if (sizes.size() != 1) {
            throw Error("--shape gives the symbol '" + name + "' the sizes " + joined(sizes) +
                        "; a symbol has one");
        }
        give_symbol(name, sizes.front());
    }

    void give_symbol(const std::string &symbol, int64_t size) {
        const auto [known, inserted] = sizes_.emplace(symbol, size);
        if (!inserted && known->second != size) {
            throw Error("--shape gives the symbol '" + symbol + "' two sizes, " +
                        std::to_string(known->second) + " and " + std::to_string(size) + "; " +
                        inventory());
        }
    }

    void give_input(onnx::ValueInfoProto &input, const std::vector<int64_t> &sizes) {
        const std::string declared = describe(input);
        const bool ranked = input.type().tensor_type().has_shape();
        onnx::TensorShapeProto &shape = shape_of(input);
        bool agrees = !ranked || static_cast<size_t>(shape.dim_size()) == sizes.size();
        for (int axis = 0; agrees && axis < shape.dim_size(); ++axis) {
            const Dimension &dim = shape.dim(axis);
            agrees = !has_size(dim) || dim.dim_value() == sizes[static_cast<size_t>(axis)];
        }
        if (!agrees) {
            throw Error("--shape gives input '" + input.name() + "' the shape " + joined(sizes) +
                        ", but the model declares " + declared);
        }
        for (size_t axis = 0; axis < sizes.size(); ++axis) {
            Dimension &dim = ranked ? *shape.mutable_dim(static_cast<int>(axis)) : *shape.add_dim();
            if (has_symbol(dim)) {
                give_symbol(dim.dim_param(), sizes[axis]);
            }
            dim.set_dim_value(sizes[axis]);
        }
    }

    static bool is_known(const onnx::ValueInfoProto &input) {
        const auto &type = input.type().tensor_type();
        for (const Dimension &dim : type.shape().dim()) {
            if (!has_size(dim)) {
                return false;
            }
        }
        return type.has_shape();
    }

    Error without_size(const onnx::ValueInfoProto &input) const {
        return Error("input '" + input.name() + "' has no fixed shape, " + describe(input))
            .with_remedy("give it with --shape " + input.name() + "=" + example(input) +
                         remedy_by_symbol(input) + "; " + inventory());
    }

    // "1x3x224x224" with 1 for what is not known.
    static std::string example(const onnx::ValueInfoProto &input) {
        std::vector<int64_t> sizes;
        for (const Dimension &dim : input.type().tensor_type().shape().dim()) {
            sizes.push_back(has_size(dim) ? dim.dim_value() : 1);
        }
        return sizes.empty() ? "1x3x224x224" : joined(sizes);
    }

    static std::string remedy_by_symbol(const onnx::ValueInfoProto &input) {
        for (const Dimension &dim : input.type().tensor_type().shape().dim()) {
            if (!has_size(dim) && has_symbol(dim)) {
                return " or --shape " + dim.dim_param() + "=1";
            }
        }
        return "";
    }

    // "batch x 3 x ?", "scalar", "unknown rank".
    static std::string describe(const onnx::ValueInfoProto &input) {
        const auto &type = input.type().tensor_type();
        std::string text;
        for (const Dimension &dim : type.shape().dim()) {
            text += text.empty() ? "" : " x ";
            text += has_size(dim)     ? std::to_string(dim.dim_value())
                    : has_symbol(dim) ? dim.dim_param()
                                      : "?";
        }
        return !text.empty() ? text : type.has_shape() ? "a scalar" : "unknown rank";
    }

    std::string inventory() const {
        std::string text;
        for (size_t i = 0; i < std::min(inputs_.size(), kMostListed); ++i) {
            text += (text.empty() ? "the inputs are '" : ", '") + inputs_[i]->name() + "' (" +
                    describe(*inputs_[i]) + ")";
        }
        if (inputs_.size() > kMostListed) {
            text += " and " + std::to_string(inputs_.size() - kMostListed) + " more";
        }
        return text.empty() ? "the model has no inputs" : text;
    }

    const InputShapes &shapes_;
    std::vector<onnx::ValueInfoProto *> inputs_;
    std::set<std::string> symbols_;
    std::map<std::string, int64_t> sizes_;
};

}  // namespace

void bind_shapes(onnx::GraphProto &graph, const InputShapes &shapes,
                 const std::set<std::string> &constants, Refused &refused) {
    ShapeBinder(graph, shapes, constants).run(refused);
}

}  // namespace emulsion
