// Multi-level tiling for reductions that no other template takes: scans, scatters, sums over everything.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/multi_level.h"
#include "autoscheduler/templates/support/multi_level_model.h"
#include "autoscheduler/templates/support/panel.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"

namespace emulsion {

namespace {

// Of all reductions: several are sums over everything, of anything else there is one only.
std::optional<UpdateRoles> roles_of_all(const NestSubject &subject) {
    std::optional<UpdateRoles> common;
    int reductions = 0;
    for (const FuncFacts &part : subject.parts) {
        if (!part.is_reduction()) {
            continue;
        }
        auto roles = update_roles(part);
        const bool alone = roles && roles->kind != UpdateKind::Total;
        if (!roles || (alone && part.args != subject.result().args) ||
            (reductions > 0 && (alone || common->kind != UpdateKind::Total))) {
            return std::nullopt;
        }
        common = std::move(roles);
        reductions++;
    }
    return common;
}

std::optional<NestOffer> offer_multi_level(const NestSubject &subject) {
    if (subject.result().is_reduction()) {
        return std::nullopt;
    }
    const auto roles = roles_of_all(subject);
    if (!roles) {
        return std::nullopt;
    }
    NestOffer offer_multi_level;
    offer_multi_level.reduction_placement = Placement::Panel;
    offer_multi_level.space = multi_level_space("multi_level_tile", subject, *roles);
    set_points(offer_multi_level.space, std::make_shared<MultiLevelModel>(subject, *roles),
               subject.machine);
    return offer_multi_level;
}

// The root by itself, where what it reads is stored.
void apply_root(const NestFuncs &funcs, const Nest &nest, const MultiLevelTile &t) {
    NestFuncs alone = funcs;
    alone.panels.clear();
    apply_rows(
        alone,
        {nest.template_name,
         {{"column_axis", -1}, {"crossing_axis", -1}, {"vector", t.vector}, {"tasks", t.tasks}}});
}

void apply_multi_level(const NestFuncs &funcs, const Nest &nest) {
    const MultiLevelTile t(nest);
    std::vector<int> innermost_first = memory_order(funcs);
    std::reverse(innermost_first.begin(), innermost_first.end());
    for (const Halide::Func &panel : funcs.panels) {
        const auto roles = update_roles(func_facts(panel.function()));
        if (roles && roles->kind == UpdateKind::Total) {
            make_total_loops(panel, t);
        } else if (roles && roles->kind == UpdateKind::Scatter &&
                   panel.dimensions() == funcs.root.dimensions()) {
            make_scatter_loops(panel, *roles, t, innermost_first);
        } else if (roles && roles->kind == UpdateKind::Scan && funcs.panels.size() == 1 &&
                   make_scan_loops(funcs, panel, *roles, t)) {
            return;
        } else {
            store_whole(panel, "", t.vector, t.tasks > 1);
        }
    }
    apply_root(funcs, nest, t);
}

}  // namespace

const NestTemplate &nest_template_multi_level_tile() {
    static const NestTemplate t{
        .name = "multi_level_tile",
        .description = "scans, scatters, sums over everything: multi-level tiles",
        .rank = 70,
        .offer = offer_multi_level,
        .apply = apply_multi_level,
        .bounds = multi_level_bounds,
        .smaller = smaller_multi_level,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
