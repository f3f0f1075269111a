// Pure definitions on a GPU.
#include <algorithm>
#include <cmath>

#include "autoscheduler/templates/support/gpu_candidates.h"
#include "autoscheduler/work.h"

namespace emulsion {

namespace {

std::vector<Workgroup> ways_to_cut_gpu_elementwise(const NestSubject &subject) {
    const Gpu &gpu = subject.machine.gpu;
    const double lanes = gpu.simds * gpu.simd_lanes;
    const double operations = operation_count(subject.parts, subject.extents);
    double elements = 1.0;
    for (const int64_t extent : subject.extents) {
        elements *= static_cast<double>(std::max<int64_t>(extent, 1));
    }
    std::vector<Workgroup> ways;
    for (const int column : long_axes(subject, subject.natural_order.back())) {
        std::vector<GpuCandidate> candidates;
        std::vector<int> rows = long_axes(subject, -1);
        std::erase(rows, column);
        for (const GpuTile &tile : plain_tiles(subject.extents, column, rows)) {
            GpuCandidate c{tile};
            const double workgroups = workgroups_of(tile, subject.extents);
            const double waves = std::ceil(static_cast<double>(tile.all_threads()) / gpu.wavefront);
            const double computed = workgroups * waves * gpu.wavefront * tile_elements(tile);
            c.registers = static_cast<int>(3.0 * tile_elements(tile)) + kOtherRegisters;
            c.cycles = operations * computed / elements / lanes /
                       subject.machine.operations_per_cycle *
                       line_share(tile, subject.result().element_bytes);
            c.estimate = alone_cycles(gpu, c, subject.extents, 0.0);
            candidates.push_back(c);
        }
        const std::vector<Workgroup> sorted = sorted_ways(candidates, subject.extents);
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
    offer_gpu_elementwise.space =
        gpu_tile_space("gpu_elementwise", ways_to_cut_gpu_elementwise(subject), subject.extents);
    NestParameter &columns = *offer_gpu_elementwise.space.find("column_axis");
    columns.domain = {0, static_cast<int64_t>(subject.extents.size()) - 1};
    return offer_gpu_elementwise;
}

}  // namespace

const NestTemplate &nest_template_gpu_elementwise() {
    static const NestTemplate t{"gpu_elementwise",
                                "pure definitions on a GPU: threads along one axis",
                                55,
                                offer_gpu_elementwise,
                                apply_gpu_tile,
                                gpu_tile_bounds,
                                true,
                                smaller_gpu_tile};
    return t;
}

}  // namespace emulsion
