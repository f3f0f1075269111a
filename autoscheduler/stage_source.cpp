#include "autoscheduler/stage_source.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::MemoryType;
using Halide::TailStrategy;

const char *tail_name(TailStrategy tail) {
    switch (tail) {
    case TailStrategy::RoundUp: return "TailStrategy::RoundUp";
    case TailStrategy::GuardWithIf: return "TailStrategy::GuardWithIf";
    case TailStrategy::ShiftInwards: return "TailStrategy::ShiftInwards";
    case TailStrategy::Predicate: return "TailStrategy::Predicate";
    case TailStrategy::PredicateLoads: return "TailStrategy::PredicateLoads";
    case TailStrategy::PredicateStores: return "TailStrategy::PredicateStores";
    case TailStrategy::ShiftInwardsAndBlend: return "TailStrategy::ShiftInwardsAndBlend";
    case TailStrategy::RoundUpAndBlend: return "TailStrategy::RoundUpAndBlend";
    case TailStrategy::Auto: return "TailStrategy::Auto";
    }
    return "TailStrategy::Auto";
}

const char *loop_call(ForType type) {
    switch (type) {
    case ForType::Vectorized: return "vectorize";
    case ForType::Unrolled: return "unroll";
    case ForType::Parallel: return "parallel";
    case ForType::GPUBlock: return "gpu_blocks";
    case ForType::GPUThread: return "gpu_threads";
    case ForType::GPULane: return "gpu_lanes";
    default: return nullptr;
    }
}

const char *memory_name(MemoryType type) {
    switch (type) {
    case MemoryType::Heap: return "MemoryType::Heap";
    case MemoryType::Stack: return "MemoryType::Stack";
    case MemoryType::Register: return "MemoryType::Register";
    case MemoryType::GPUShared: return "MemoryType::GPUShared";
    default: return nullptr;
    }
}

bool is_constant(const Expr &e) { return e.defined() && as_const_int(e).has_value(); }

std::string joined(const std::vector<std::string> &parts) {
    std::string text;
    for (const std::string &part : parts) {
        text += (text.empty() ? "" : ", ") + part;
    }
    return text;
}

class LoopsSource {
public:
    LoopsSource(const Function &f, int definition, SourceNames &names, bool is_made)
        : schedule_(definition == 0 ? f.definition().schedule()
                                    : f.update(definition - 1).schedule()),
          names_(names), is_made_(is_made) {
        for (const ReductionVariable &r : schedule_.rvars()) {
            rvars_.insert(r.var);
            loops_.push_back(r.var);
        }
        loops_.insert(loops_.end(), f.args().begin(), f.args().end());
    }

    std::string text() {
        if (schedule_.atomic()) {
            out_ << "\n    .atomic("
                 << (schedule_.override_atomic_associativity_test() ? "true" : "") << ")";
        }
        for (const Split &split : schedule_.splits()) {
            print(split);
        }
        print_order();
        for (const Dim &d : schedule_.dims()) {
            if (const char *call = loop_call(d.for_type)) {
                out_ << "\n    ." << call << "(" << name(d.var) << ")";
            }
            if (d.partition_policy == Halide::Partition::Never) {
                out_ << "\n    .never_partition(" << name(d.var) << ")";
            }
        }
        return out_.str();
    }

private:
    std::string name(const std::string &loop) {
        return rvars_.count(loop) != 0 ? names_.rvar(loop) : names_.var(loop);
    }

    // Loops that a split makes are reduction loops where what is split is one.
    void inherit(const std::string &made, const std::string &from) {
        if (rvars_.count(from) != 0) {
            rvars_.insert(made);
        }
    }

    void print(const Split &split) {
        if (split.split_type == Split::FuseVars) {
            inherit(split.old_var, split.inner);
            inherit(split.old_var, split.outer);
            out_ << "\n    .fuse(" << name(split.inner) << ", " << name(split.outer) << ", "
                 << name(split.old_var) << ")";
            return;
        }
        inherit(split.outer, split.old_var);
        if (split.split_type == Split::SplitVar) {
            inherit(split.inner, split.old_var);
            out_ << "\n    .split(" << name(split.old_var) << ", " << name(split.outer) << ", "
                 << name(split.inner) << ", " << split.factor << ", " << tail_name(split.tail)
                 << ")";
        } else if (!is_made_) {  // rfactor() of Halide 19 renames loops itself
            out_ << "\n    .rename(" << name(split.old_var) << ", " << name(split.outer) << ")";
        }
    }

    // Where the loops are not as the definition has them.
    void print_order() {
        std::vector<std::string> order;
        for (const Dim &d : schedule_.dims()) {
            if (last_part(d.var) != Halide::Var::outermost().name()) {
                order.push_back(d.var);
            }
        }
        std::erase_if(loops_, [&](const std::string &loop) {
            return std::find(order.begin(), order.end(), loop) == order.end();
        });
        if (order.size() < 2 || (order == loops_ && !is_made_)) {
            return;
        }
        for (std::string &loop : order) {
            loop = name(loop);
        }
        out_ << "\n    .reorder(" << joined(order) << ")";
    }

    const StageSchedule &schedule_;
    SourceNames &names_;
    const bool is_made_;
    std::set<std::string> rvars_;
    std::vector<std::string> loops_;  // before the schedule, innermost first
    std::ostringstream out_;
};

std::string bound_source(const Bound &b, SourceNames &names) {
    std::ostringstream out;
    if (is_constant(b.modulus) && is_constant(b.remainder)) {
        out << "\n    .align_bounds(" << names.var(b.var) << ", " << b.modulus << ", "
            << b.remainder << ")";
    } else if (is_constant(b.min) && is_constant(b.extent)) {
        out << "\n    .bound(" << names.var(b.var) << ", " << b.min << ", " << b.extent << ")";
    } else if (!b.min.defined() && is_constant(b.extent)) {
        out << "\n    .bound_extent(" << names.var(b.var) << ", " << b.extent << ")";
    }
    return out.str();
}

// That outputs have certain elements along axes, as users write it; nothing for other conditions: those on inputs can't
// be written, since a pipeline does not give them.
std::optional<std::string>
condition_source(const Expr &condition, const std::set<std::string> &outputs, SourceNames &names) {
    if (const auto *both = condition.as<And>()) {
        const auto a = condition_source(both->a, outputs, names),
                   b = condition_source(both->b, outputs, names);
        return a && b ? std::optional(*a + " && " + *b) : std::nullopt;
    }
    const auto *equal = condition.as<EQ>();
    const auto *size = equal == nullptr ? nullptr : equal->a.as<Variable>();
    if (size == nullptr || !is_constant(equal->b)) {
        return std::nullopt;
    }
    const std::vector<std::string> parts = split_string(size->name, ".");
    const std::string what = parts.size() < 2 ? "" : parts[parts.size() - 2];
    if (outputs.count(parts.front()) == 0 || (what != "min" && what != "extent")) {
        return std::nullopt;
    }
    return names.func(parts.front()) + ".output_buffers()[0].dim(" + parts.back() + ")." + what +
           "() == " + std::to_string(*as_const_int(equal->b));
}

}  // namespace

std::string storage_source(const Function &f, SourceNames &names) {
    std::ostringstream out;
    std::set<std::string> bounds;
    for (const Bound &b : f.schedule().bounds()) {
        if (const std::string text = bound_source(b, names); bounds.insert(text).second) {
            out << text;
        }
    }
    if (const char *memory = memory_name(f.schedule().memory_type())) {
        out << "\n    .store_in(" << memory << ")";
    }
    std::vector<std::string> order, storage;
    for (const StorageDim &dim : f.schedule().storage_dims()) {
        order.push_back(dim.var);
    }
    if (order != f.args()) {
        for (const std::string &axis : order) {
            storage.push_back(names.var(axis));
        }
        out << "\n    .reorder_storage(" << joined(storage) << ")";
    }
    for (const StorageDim &dim : f.schedule().storage_dims()) {
        if (is_constant(dim.alignment)) {
            out << "\n    .align_storage(" << names.var(dim.var) << ", " << dim.alignment << ")";
        }
        if (is_constant(dim.bound)) {
            out << "\n    .bound_storage(" << names.var(dim.var) << ", " << dim.bound << ")";
        }
    }
    return out.str();
}

std::string stage_source(const Function &f, int definition, SourceNames &names, bool is_made) {
    return LoopsSource(f, definition, names, is_made).text();
}

std::vector<std::string> specialisations_source(const Function &f,
                                                const std::set<std::string> &outputs,
                                                SourceNames &names) {
    std::vector<std::string> sources;
    if (!f.has_pure_definition()) {
        return sources;
    }
    const std::vector<Dim> &general = f.definition().schedule().dims();
    for (const Specialization &special : f.definition().specializations()) {
        const auto condition = condition_source(special.condition, outputs, names);
        const std::vector<Dim> &dims = special.definition.schedule().dims();
        if (!condition || dims.size() != general.size()) {
            continue;
        }
        std::string source = "\n    .specialize(" + *condition + ")";
        for (size_t i = 0; i < dims.size(); i++) {
            if (dims[i].for_type == ForType::Unrolled && general[i].for_type != ForType::Unrolled) {
                source += "\n    .unroll(" + names.var(dims[i].var) + ")";
            }
        }
        sources.push_back(source);
    }
    return sources;
}

}  // namespace emulsion
