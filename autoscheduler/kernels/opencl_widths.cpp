#include "autoscheduler/kernels/opencl_widths.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "autoscheduler/kernels/kernel_mutator.h"
#include "autoscheduler/kernels/lanes.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

constexpr int kNamedLanes = 10;

bool has_width(const Type &type) {
    const int lanes = type.lanes();
    return lanes <= 4 || lanes == 8 || lanes == 16;
}

// Of each lane of a shuffle: the vector that it is taken from, and its place there.
std::vector<std::pair<int, int>> taken_lanes(const Shuffle *op) {
    std::vector<std::pair<int, int>> all, taken;
    for (size_t vector = 0; vector < op->vectors.size(); vector++) {
        for (int place = 0; place < op->vectors[vector].type().lanes(); place++) {
            all.emplace_back(static_cast<int>(vector), place);
        }
    }
    for (const int index : op->indices) {
        taken.push_back(all[static_cast<size_t>(index)]);
    }
    return taken;
}

// Whether a shuffle takes lanes that have no name.
bool takes_unnamed_lanes(const Shuffle *op) {
    const auto taken = taken_lanes(op);
    return std::any_of(taken.begin(), taken.end(), [&](const auto &place) {
        return place.second >= kNamedLanes ||
               !has_width(op->vectors[static_cast<size_t>(place.first)].type());
    });
}

// Whether such a shuffle is of the vector `name`.
class UnnamedLanes : public IRVisitor {
public:
    explicit UnnamedLanes(const std::string &name) : name_(name) {}
    bool found = false;

private:
    using IRVisitor::visit;
    void visit(const Shuffle *op) override {
        found = found || (takes_unnamed_lanes(op) &&
                          std::any_of(op->vectors.begin(), op->vectors.end(), [&](const Expr &e) {
                              const auto *variable = e.as<Variable>();
                              return variable != nullptr && variable->name == name_;
                          }));
        IRVisitor::visit(op);
    }
    std::string name_;
};

class OpenClWidths : public KernelMutator {
    using KernelMutator::visit;
    using Lanes = std::vector<Expr>;

    // Lanes that can be had without the vector.
    Expr lane(const Expr &e, int index) {
        if (const auto *op = e.as<Variable>(); op != nullptr && split_.contains(op->name)) {
            return split_.get(op->name)[static_cast<size_t>(index)];
        }
        if (const auto *op = e.as<Load>()) {
            return Load::make(op->type.element_of(), op->name, lane(op->index, index), op->image,
                              op->param, lane(op->predicate, index), op->alignment + index);
        }
        if (const auto *op = e.as<Shuffle>()) {
            const auto [vector, place] = taken_lanes(op)[static_cast<size_t>(index)];
            return lane(op->vectors[static_cast<size_t>(vector)], place);
        }
        if (const auto *op = e.as<Cast>()) {
            return Cast::make(op->type.element_of(), lane(op->value, index));
        }
        if (e.type().is_scalar()) {
            return mutate(e);
        }
        return lane_of(mutate(e), index);
    }

    Expr visit(const Shuffle *op) override {
        if (!in_opencl_kernel() || (has_width(op->type) && !takes_unnamed_lanes(op))) {
            return IRMutator::visit(op);
        }
        Lanes lanes;
        for (int i = 0; i < op->type.lanes(); i++) {
            lanes.push_back(lane(op, i));
        }
        return lanes.size() == 1 ? lanes.front() : Shuffle::make_concat(lanes);
    }

    // A name for every lane in place of one for the vector. The values are computed where the vector was: memory
    // may be written before they are used.
    template<typename LetOrStatement>
    auto visit_let(const LetOrStatement *op) -> decltype(op->body) {
        UnnamedLanes unnamed(op->name);
        op->body.accept(&unnamed);
        const Type type = op->value.type();
        if (!in_opencl_kernel() || (has_width(type) && !unnamed.found)) {
            return IRMutator::visit(op);
        }
        std::vector<std::pair<std::string, Expr>> values;
        Lanes names;
        for (int i = 0; i < type.lanes(); i++) {
            values.emplace_back(unique_name(op->name), lane(op->value, i));
            names.push_back(Variable::make(type.element_of(), values.back().first));
        }
        split_.push(op->name, names);
        auto body = mutate(op->body);
        split_.pop(op->name);
        for (const auto &[name, value] : values) {
            body = LetOrStatement::make(name, value, body);
        }
        return body;
    }

    Expr visit(const Let *op) override { return visit_let(op); }
    Stmt visit(const LetStmt *op) override { return visit_let(op); }

    // The whole of a vector that has no name any more.
    Expr visit(const Variable *op) override {
        return split_.contains(op->name) ? Shuffle::make_concat(split_.get(op->name)) : Expr(op);
    }

    Scope<Lanes> split_;
};

}  // namespace

Stmt with_opencl_widths(const Stmt &statement) { return OpenClWidths().mutate(statement); }

}  // namespace emulsion
