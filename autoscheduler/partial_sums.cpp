#include "autoscheduler/partial_sums.h"

#include <algorithm>

#include "autoscheduler/taps.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;

bool writes_every_element(const Function &f, const Halide::Internal::Definition &update) {
    for (size_t axis = 0; axis < f.args().size(); axis++) {
        const auto *v = update.args()[axis].as<Variable>();
        if (v == nullptr || v->name != f.args()[axis]) {
            return false;
        }
    }
    return true;
}

// Whether `along`, an axis of the reader, moves along the innermost axis of what is read there, element by element.
bool is_contiguous(const Tap &tap, int along) {
    for (size_t i = 0; i < tap.size(); i++) {
        const bool innermost =
            i == 0 && tap[i].other.empty() && tap[i].axis == along && tap[i].scale == 1;
        if (tap[i].depends_on(along) && !innermost) {
            return false;
        }
    }
    return true;
}

bool depends_on(const Tap &tap, int along) {
    return std::any_of(tap.begin(), tap.end(),
                       [&](const TapIndex &index) { return index.depends_on(along); });
}

}  // namespace

bool adds_up_in_parts(const Function &f) {
    if (!f.has_pure_definition() || f.updates().size() != 1 || f.outputs() != 1) {
        return false;
    }
    const Halide::Internal::Definition &update = f.update(0);
    if (update.schedule().rvars().empty() || !is_const_one(update.predicate()) ||
        !update.specializations().empty()) {
        return false;
    }
    const AssociativeOp proof = prove_associativity(f.name(), update.args(), update.values());
    return proof.associative() && proof.commutative() && !proof.xs.front().var.empty();
}

bool adds_up_in_lanes(const Function &f) {
    return adds_up_in_parts(f) && writes_every_element(f, f.update(0));
}

int contiguous_loop(const std::string &self, const std::vector<std::string> &args,
                    const FuncDefinition &source) {
    const int along = static_cast<int>(args.size());
    for (size_t i = 0; i < source.reduced.size(); i++) {
        std::vector<std::string> with_loop = args;
        with_loop.push_back(source.reduced[i].var);
        bool contiguous = true, depends = false;
        for (const auto &[name, read] : reads_of(self, with_loop, source.expressions)) {
            for (const Tap &tap : read.taps) {
                contiguous = contiguous && is_contiguous(tap, along);
                depends = depends || depends_on(tap, along);
            }
        }
        if (contiguous && depends) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

}  // namespace emulsion
