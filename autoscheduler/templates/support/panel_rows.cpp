#include "autoscheduler/templates/support/panel_rows.h"

#include "autoscheduler/block_extents.h"

namespace emulsion {

std::optional<int64_t> fewest_rows(const NestFuncs &funcs, int axis) {
    if (!funcs.is_panel || funcs.host == nullptr) {
        return std::nullopt;
    }
    const NestTemplate &host = find_template(funcs.host->template_name);
    if (!host.panel_block) {
        return std::nullopt;
    }
    // The last panel is the smallest where it is cut off, and no smaller where it is moved inwards.
    const Cut cut{host.panel_block(*funcs.host, funcs.host_extents), true};
    if (cut.block.empty()) {
        return std::nullopt;
    }
    const auto extents = block_extents(funcs.host_root, funcs.host_extents, cut, funcs.root, axis);
    return extents ? std::make_optional(extents->least) : std::nullopt;
}

}  // namespace emulsion
