#include "autoscheduler/templates/support/constants.h"

#include <algorithm>

namespace emulsion {

namespace {

using namespace Halide::Internal;

// The dimension of `access` whose index is exactly `variable`; -1 if there is none or the variable
// occurs elsewhere too.
int plain_dimension(const TensorAccess &access, const std::string &variable) {
    int found = -1;
    for (size_t i = 0; i < access.args.size(); i++) {
        const auto *v = access.args[i].as<Variable>();
        if (v != nullptr && v->name == variable) {
            if (found >= 0) {
                return -1;
            }
            found = static_cast<int>(i);
        } else if (expr_uses_var(access.args[i], variable)) {
            return -1;
        }
    }
    return found;
}

bool uses(const TensorAccess &access, const std::string &variable) {
    return std::any_of(access.args.begin(), access.args.end(),
                       [&](const Halide::Expr &e) { return expr_uses_var(e, variable); });
}

const std::string &column_variable(const ReductionRoles &roles) {
    return roles.reduction->args[static_cast<size_t>(roles.column_axis)];
}

}  // namespace

bool can_pad_columns(const NestSubject &subject, const ReductionRoles &roles) {
    const std::string &column = column_variable(roles);
    for (const TensorAccess &access : roles.reduction->accesses) {
        // The data of a grouped convolution is read at (column / group size): past the last column
        // that is a group that does not exist.
        if (uses(access, column) &&
            (!subject.is_constant(access.callee) || plain_dimension(access, column) < 0)) {
            return false;
        }
    }
    return true;
}

std::map<std::string, Layout> column_constants(const NestSubject &subject,
                                               const ReductionRoles &roles,
                                               const RegisterTile &tile) {
    std::map<std::string, Layout> layouts;
    const std::string &column = column_variable(roles);
    for (const TensorAccess &access : roles.reduction->accesses) {
        if (!subject.is_constant(access.callee) || !uses(access, column)) {
            continue;
        }
        const int columns = plain_dimension(access, column);
        if (columns < 0) {
            continue;
        }
        std::vector<int> others, taps, channels;
        for (int i = 0; i < static_cast<int>(access.args.size()); i++) {
            if (i == columns) {
                continue;
            }
            std::vector<int> *group = &others;
            for (const ReductionLoop &loop : roles.reduction->reduction) {
                if (expr_uses_var(access.args[static_cast<size_t>(i)], loop.name)) {
                    group = loop.window ? &taps : &channels;
                }
            }
            group->push_back(i);
        }
        Layout layout;
        if (tile.padded) {
            layout.block_axis = columns;
            layout.block = tile.block();
            layout.order = {columns};
        }
        for (const auto *group : {&others, &taps, &channels}) {
            layout.order.insert(layout.order.end(), group->begin(), group->end());
        }
        if (!tile.padded) {
            layout.order.push_back(columns);
        }
        layouts[access.callee] = layout;
    }
    return layouts;
}

}  // namespace emulsion
