#include "fusion/image/image_space.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fusion/image/row_block.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

constexpr int64_t kMostVectors = 8, kMostRows = 16;
// Tiles may be as long as whole vectors of an axis that is shorter.
constexpr int64_t kLongestOfShort = 256;

bool has_sums(const ImageStage &stage) {
    return !stage.is_pure() && !stage.definitions.back().reduced.empty();
}

class ImageSpaceWriter {
public:
    ImageSpaceWriter(const ImageGraph &graph, const CpuMachine &machine)
        : graph_(graph), machine_(machine) {}

    NestSpace run() {
        space_.template_name = "images";
        for (const ImageStage &stage : graph_.stages) {
            if (!stage.is_output && !stage.is_opaque && !stage.is_inline_only) {
                add_places(stage);
            }
            if (!stage.definitions.empty() && !stage.has_own_loops && !stage.is_inline_only) {
                add_tiles(stage);
                add_vectors(stage);
            }
            position_++;
        }
        return std::move(space_);
    }

private:
    NestDomain &add(const std::string &name, NestType type, const std::string &unit, int64_t least,
                    int64_t most) {
        space_.parameters.push_back({image_parameter(position_, name),
                                     type,
                                     unit,
                                     {least, std::max(least, most)},
                                     least,
                                     true});
        return space_.parameters.back().domain;
    }

    // No point has that placement.
    void never(Placement placement, const std::string &refusal) {
        space_.constraints.push_back(
            {NestConstraint::Rule::ProductAtMost,
             {},
             0,
             refusal,
             std::pair{image_parameter(position_, "place"), static_cast<int64_t>(placement)}});
    }

    void add_places(const ImageStage &stage) {
        add("place", NestType::Count, "placement", static_cast<int64_t>(Placement::Inline),
            static_cast<int64_t>(Placement::Root));
        never(Placement::Whole, "has a place that stages of images never have");
        if (!stage.is_pure()) {
            never(Placement::Inline, "inlines a stage that has updates");
        }
        if (!has_sums(stage)) {
            never(Placement::Register, "has in registers what is no sum");
        }
    }

    void add_tiles(const ImageStage &stage) {
        for (size_t axis = 0; axis < stage.extents.size(); axis++) {
            const auto extent = static_cast<uint64_t>(std::max<int64_t>(stage.extents[axis], 1));
            add(block_of_axis(axis), NestType::Count, "elements", 0,
                std::max(kLongestOfShort, static_cast<int64_t>(std::bit_ceil(extent))));
        }
        if (stage.is_pure() && stage.extents.size() > 1) {
            add("slide", NestType::Axis, "axis", 0, std::ssize(stage.extents) - 1);
        }
        if (has_sums(stage)) {
            add("sweep", NestType::Flag, "", 0, 1);
            add("share", NestType::Count, "iterations", 0, stage.definitions.back().reduced.back());
        }
    }

    void add_vectors(const ImageStage &stage) {
        add("vector", NestType::Count, "elements", 1, 2 * vector_of(stage, machine_))
            .powers_of_two = true;
        add("vectors", NestType::Count, "vectors", 1, kMostVectors);
        if (stage.is_pure() && stage.extents.size() > 1) {
            add("row_block", NestType::Count, "rows", 1, kMostRowsOfBlock).powers_of_two = true;
        }
        if (!stage.is_output) {
            add("aligned", NestType::Flag, "", 0, 1);
        }
        if (has_sums(stage)) {
            add("rows", NestType::Count, "rows", 1, kMostRows);
        }
    }

    const ImageGraph &graph_;
    const CpuMachine &machine_;
    NestSpace space_;
    int position_ = 0;
};

}  // namespace

std::string image_parameter(int stage, const std::string &name) {
    return std::to_string(stage).append(".").append(name);
}

std::string block_of_axis(size_t axis) { return "block" + std::to_string(axis); }

NestSpace image_space(const ImageGraph &graph, const CpuMachine &machine) {
    return ImageSpaceWriter(graph, machine).run();
}

}  // namespace emulsion
