// The parts of a model that were refused, while loading goes on with the rest.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/graph/support_report.h"

namespace onnx {
class NodeProto;
}

namespace emulsion {

class Refused {
public:
    explicit Refused(const std::string &file) : report_(std::make_shared<SupportReport>(file)) {}

    SupportReport &report() { return *report_; }
    // What was refused, to be thrown.
    UnsupportedModel error() const { return UnsupportedModel(report_); }
    std::shared_ptr<SupportReport> share_report() const { return report_; }

    // Node `index` of the model's graph. These throw `error` itself where the model is not to blame.
    void refuse_node(onnx::NodeProto &node, int index, const Error &error) {
        refuse_inner_node(node, error);
        report_->judge(index, Verdict::Refused);
    }
    // A node of a function, perhaps of one that nothing calls.
    void refuse_inner_node(onnx::NodeProto &node, const Error &error) {
        report_->refuse(error);
        nodes_.push_back(&node);
        known_.insert(&node);
    }
    // An input or a weight of the model's graph.
    void refuse_value(const std::string &name, const Error &error) {
        report_->refuse(error);
        values_.insert(name);
    }

    bool holds(const onnx::NodeProto &node) const { return known_.count(&node) != 0; }
    bool holds_value(const std::string &name) const { return values_.count(name) != 0; }
    // In the order that they were found in.
    const std::vector<onnx::NodeProto *> &nodes() const { return nodes_; }
    const std::unordered_set<std::string> &values() const { return values_; }

private:
    std::shared_ptr<SupportReport> report_;
    std::vector<onnx::NodeProto *> nodes_;
    std::unordered_set<const onnx::NodeProto *> known_;
    std::unordered_set<std::string> values_;
};

}  // namespace emulsion
