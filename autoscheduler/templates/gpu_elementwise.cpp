// Pure definitions on a GPU.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/gpu_candidates.h"
#include "autoscheduler/work.h"

namespace emulsion {

namespace {

// Operations of all threads, also of those that have nothing to do.
class GpuElementwiseModel : public NestModel {
public:
    explicit GpuElementwiseModel(const NestSubject &subject)
        : extents_(subject.extents), operations_(operation_count(subject.parts, subject.extents)),
          bytes_(subject.result().type.bytes()) {
        for (const int64_t extent : extents_) {
            elements_ *= static_cast<double>(std::max<int64_t>(extent, 1));
        }
    }

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override {
        return estimate(GpuTile(nest, static_cast<int>(extents_.size())), machine);
    }

    NestEstimate estimate(const GpuTile &tile, const Machine &machine) const {
        const Gpu &gpu = machine.gpu().chip;
        const double computed = workgroups_of(tile, extents_) * waves_of(tile, gpu) *
                                gpu.wavefront * tile_elements(tile);
        const int registers = static_cast<int>(3.0 * tile_elements(tile)) + kOtherRegisters;
        const int kept =
            std::min(registers, most_registers(gpu, static_cast<int>(tile.all_threads())));
        NestEstimate found;
        found.cycles = machine.gpu().operation_cycles(operations_ * computed / elements_) *
                       line_share(tile, bytes_) * (static_cast<double>(registers) / kept);
        found.workgroup = workgroup_of(tile, extents_, kept);
        return found;
    }

private:
    std::vector<int64_t> extents_;
    double operations_, elements_ = 1.0;
    int64_t bytes_;
};

std::vector<GpuTile> ways_to_cut_gpu_elementwise(const NestSubject &subject,
                                                 const GpuElementwiseModel &model) {
    std::vector<GpuTile> ways;
    for (const int column : long_axes(subject, subject.natural_order.back())) {
        std::vector<GpuCandidate> candidates;
        std::vector<int> rows = long_axes(subject, -1);
        std::erase(rows, column);
        for (const GpuTile &tile : plain_tiles(subject.extents, column, rows)) {
            GpuCandidate c{tile, model.estimate(tile, subject.machine)};
            c.alone = alone_cycles(subject.machine.gpu().chip, c.nest, subject.extents, 0.0);
            candidates.push_back(c);
        }
        const std::vector<GpuTile> sorted = sorted_ways(candidates, subject.extents);
        ways.insert(ways.end(), sorted.begin(), sorted.end());
    }
    return ways;
}

std::optional<NestOffer> offer_gpu_elementwise(const NestSubject &subject) {
    const bool pure = std::none_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.is_reduction(); });
    if (!pure || subject.natural_order.empty()) {
        return std::nullopt;
    }
    NestOffer offer_gpu_elementwise;
    const auto model = std::make_shared<GpuElementwiseModel>(subject);
    offer_gpu_elementwise.space =
        gpu_tile_space("gpu_elementwise", ways_to_cut_gpu_elementwise(subject, *model), model,
                       subject.extents, subject.machine);
    NestParameter &columns = *offer_gpu_elementwise.space.find("column_axis");
    columns.domain = {0, static_cast<int64_t>(subject.extents.size()) - 1};
    return offer_gpu_elementwise;
}

}  // namespace

const NestTemplate &nest_template_gpu_elementwise() {
    static const NestTemplate t{
        .name = "gpu_elementwise",
        .description = "pure definitions on a GPU: threads along one axis",
        .rank = 55,
        .offer = offer_gpu_elementwise,
        .apply = apply_gpu_tile,
        .bounds = gpu_tile_bounds,
        .for_gpu = true,
        .smaller = smaller_gpu_tile,
    };
    return t;
}

}  // namespace emulsion
