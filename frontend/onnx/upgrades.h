// The operators whose form changed since opset 7, each from its old form to the one of kOpset.
#pragma once

#include <vector>

#include "frontend/onnx/upgrade.h"

namespace emulsion {

using Upgrade = std::vector<Node> (*)(const UpgradeContext &, Node);

namespace upgrades {

// Attributes that became operands.
std::vector<Node> axes(const UpgradeContext &context, Node node);  // Squeeze, ReduceMean, ...
std::vector<Node> clip(const UpgradeContext &context, Node node);
std::vector<Node> pad(const UpgradeContext &context, Node node);
std::vector<Node> slice(const UpgradeContext &context, Node node);
std::vector<Node> split(const UpgradeContext &context, Node node);
std::vector<Node> top_k(const UpgradeContext &context, Node node);

// Meanings that changed.
std::vector<Node> batch_normalization(const UpgradeContext &context, Node node);
std::vector<Node> dropout(const UpgradeContext &context, Node node);
std::vector<Node> grid_sample(const UpgradeContext &context, Node node);
std::vector<Node> resize(const UpgradeContext &context, Node node);
std::vector<Node> roi_align(const UpgradeContext &context, Node node);
std::vector<Node> scatter(const UpgradeContext &context, Node node);
std::vector<Node> softmax(const UpgradeContext &context, Node node);
std::vector<Node> upsample(const UpgradeContext &context, Node node);

}  // namespace upgrades

}  // namespace emulsion
