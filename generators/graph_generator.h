// A Halide generator of a tensor graph. T derives from it and has
//
//     emulsion::Graph make_graph();
//     void write_files() const;      // perhaps; called when the pipeline is there
//
// Each input and output of the graph becomes a buffer: dimension i is axis i of the tensor, the
// elements are dense and row-major (the last dimension has stride 1), as ONNX has them. Constants of
// more than one element come in one more argument, `weights`.
#pragma once

#include <Halide.h>

#include <memory>
#include <string>
#include <vector>

#include "fusion/error.h"
#include "generators/graph_pipeline.h"
#include "generators/weights_blob.h"

namespace emulsion {

template<typename T>
class GraphGenerator : public Halide::Generator<T> {
public:
    void configure() {
        reporting([&] {
            graph_ = static_cast<T *>(this)->make_graph();
            blob_ = std::make_unique<WeightsBlob>(graph_);
            const auto inputs = port_names(graph_, graph_.inputs, "input");
            for (size_t i = 0; i < inputs.size(); i++) {
                const Tensor &tensor = graph_.tensor(graph_.inputs[i]);
                inputs_.push_back(this->template add_input<Halide::Buffer<>>(
                    inputs[i], halide_type(tensor.type), tensor.rank()));
            }
            if (blob_->size() > 0) {
                weights_ =
                    this->template add_input<Halide::Buffer<>>("weights", Halide::Float(32), 1);
            }
            const auto outputs = port_names(graph_, graph_.outputs, "output");
            for (size_t i = 0; i < outputs.size(); i++) {
                const Tensor &tensor = graph_.tensor(graph_.outputs[i]);
                outputs_.push_back(this->template add_output<Halide::Buffer<>>(
                    outputs[i], halide_type(tensor.type), tensor.rank()));
            }
        });
    }

    void generate() {
        reporting([&] {
            std::map<TensorId, TensorSource> sources;
            for (size_t i = 0; i < inputs_.size(); i++) {
                fix_shape(*inputs_[i], graph_.tensor(graph_.inputs[i]).extents());
                sources.emplace(graph_.inputs[i], TensorSource::func(*inputs_[i]));
            }
            if (weights_ != nullptr) {
                fix_shape(*weights_, {blob_->size()});
                for (const auto &[id, func] : blob_->funcs(*weights_)) {
                    sources.emplace(id, TensorSource::func(func));
                }
            }
            const std::vector<Halide::Func> results = build_pipeline(graph_, sources);
            for (size_t i = 0; i < outputs_.size(); i++) {
                *outputs_[i] = results[i];
                fix_shape(*outputs_[i], graph_.tensor(graph_.outputs[i]).extents());
            }
        });
        if constexpr (requires(T & made) { made.write_files(); }) {
            static_cast<T *>(this)->write_files();
        }
    }

protected:
    void write_weights(const std::string &path) const {
        reporting([&] { blob_->write(path); });
    }

private:
    template<typename Port>
    static void fix_shape(Port &port, const std::vector<int64_t> &extents) {
        const std::vector<int> strides = row_major_strides(extents);
        for (size_t i = 0; i < extents.size(); i++) {
            const int extent = static_cast<int>(extents[i]);
            port.dim(static_cast<int>(i)).set_bounds(0, extent);
            port.dim(static_cast<int>(i)).set_stride(strides[i]);
            port.dim(static_cast<int>(i)).set_estimate(0, extent);
        }
    }

    // Halide's generators report Halide's errors.
    template<typename Work>
    static void reporting(Work work) {
        try {
            work();
        } catch (const Error &error) {
            throw Halide::CompileError(std::string("Emulsion: ") + error.what());
        }
    }

    Graph graph_;
    std::unique_ptr<WeightsBlob> blob_;
    std::vector<Halide::GeneratorInput<Halide::Buffer<>> *> inputs_;
    Halide::GeneratorInput<Halide::Buffer<>> *weights_ = nullptr;
    std::vector<Halide::GeneratorOutput<Halide::Buffer<>> *> outputs_;
};

}  // namespace emulsion
