#include "autoscheduler/schedule_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "autoscheduler/shared_sums.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Func;
using Halide::TailStrategy;

// How Halide names what rfactor() makes of a Func.
constexpr const char *kMadeByRfactor = "_intm";

// Loop names are kept with the names they were split from ("c.ci"): the last part is what was given.
std::string last_part(const std::string &name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

// The C++ identifier for a loop or Func.
std::string given_name(const std::string &name) {
    std::string identifier = last_part(name);
    std::replace(identifier.begin(), identifier.end(), '$', '_');
    return identifier;
}

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
    default: return nullptr;
    }
}

// Of a Func whose sums another one adds up, which rfactor() made: the Func that has them.
std::optional<std::string> adds_up_for(const Function &f,
                                       const std::map<std::string, Function> &env) {
    for (const auto &[name, other] : env) {
        const bool named = f.name().starts_with(name + kMadeByRfactor);
        if (named && other.updates().size() == 1 && find_direct_calls(other).count(f.name()) != 0) {
            return name;
        }
    }
    return std::nullopt;
}

class Printer {
public:
    explicit Printer(const std::vector<Func> &outputs) {
        std::vector<Function> functions;
        for (const Func &output : outputs) {
            functions.push_back(output.function());
        }
        for (const Function &function : functions) {
            outputs_.insert(function.name());
        }
        env_ = build_environment(functions);
        for (const auto &[name, function] : env_) {
            if (const auto sum = adds_up_for(function, env_)) {
                made_for_[name] = *sum;
            }
        }
        for (const Function &function : functions) {
            add(function.name());
        }
    }

    std::string print() {
        int number = 0;
        for (const std::string &name : order_) {
            handles_[name] = given_name(name);
            const int place = made_for_.count(name) != 0 ? -1 : number++;
            if (place >= 0 && is_scheduled(env_.at(name))) {
                funcs_ << "Func " << handles_[name] << " = pipeline.get_func(" << place << ");\n";
            }
        }
        for (const auto &[name, sum] : made_for_) {
            print_rfactor(env_.at(name), env_.at(sum));
        }
        for (const std::string &name : order_) {
            for (const auto &[reader, copy] : env_.at(name).schedule().wrappers()) {
                print_copy(name, reader, Function(copy));
            }
        }
        for (const std::string &name : order_) {
            if (is_scheduled(env_.at(name))) {
                print_func(env_.at(name));
            }
            for (const auto &[reader, copy] : env_.at(name).schedule().wrappers()) {
                print_func(Function(copy));
            }
        }
        std::string vars;
        for (const std::string &v : vars_) {
            vars += "Var " + given_name(v) + "(\"" + v + "\");\n";
        }
        for (const std::string &v : rvars_) {
            vars += "RVar " + given_name(v) + "(\"" + v + "\");\n";
        }
        return vars + funcs_.str() + "\n" + calls_.str();
    }

private:
    // As pipeline.get_func() numbers them: callees first, those of one Func by name. What scheduling made isn't
    // there: its callees are those of the Func that it was made for.
    void add(const std::string &name) {
        if (!added_.insert(name).second) {
            return;
        }
        std::set<std::string> callees, made;
        for (const auto &[callee, function] : find_direct_calls(env_.at(name))) {
            (made_for_.count(callee) != 0 ? made : callees).insert(callee);
        }
        for (const std::string &maker : made) {
            for (const auto &[callee, function] : find_direct_calls(env_.at(maker))) {
                if (callee != maker) {
                    callees.insert(callee);
                }
            }
        }
        for (const std::string &callee : callees) {
            add(callee);
        }
        for (const std::string &maker : made) {
            if (added_.insert(maker).second) {
                order_.push_back(maker);
            }
        }
        order_.push_back(name);
    }

    // `made` computes parts of the sums of `sum`, along its last axis.
    void print_rfactor(const Function &made, const Function &sum) {
        std::string loop, steps;
        for (const ReductionVariable &r : made.update(0).schedule().rvars()) {
            if (const auto of = loop_of_steps(r.var)) {
                loop = *of;
                steps = r.var;
            }
        }
        if (loop.empty() || sum.update(0).schedule().rvars().empty()) {
            return;
        }
        const ReductionVariable &part = sum.update(0).schedule().rvars().front();
        rvars_.insert({loop, last_part(steps), last_part(part.var)});
        vars_.insert(made.args().back());
        funcs_ << "Func " << given_name(made.name()) << " = " << given_name(sum.name())
               << ".update(0)\n    .split(" << given_name(loop) << ", " << given_name(steps) << ", "
               << given_name(part.var) << ", " << part.extent << ")\n    .rfactor("
               << given_name(part.var) << ", " << given_name(made.args().back()) << ");\n";
    }

    void print_copy(const std::string &of, const std::string &reader, const Function &copy) {
        handles_[copy.name()] = given_name(copy.name());
        funcs_ << "Func " << given_name(copy.name()) << " = " << given_name(of) << ".in("
               << given_name(reader) << ");\n";
    }

    // Inlined Funcs have no loops of their own.
    bool is_scheduled(const Function &f) const {
        Halide::LoopLevel level = f.schedule().compute_level();
        level.lock();
        return !level.is_inlined() || f.has_update_definition() || outputs_.count(f.name()) != 0;
    }

    void print_func(const Function &f) {
        Halide::LoopLevel level = f.schedule().compute_level();
        level.lock();
        std::ostringstream calls;
        if (level.is_root()) {
            calls << "\n    .compute_root()";
        } else if (!level.is_inlined()) {
            calls << "\n    .compute_at(" << handle(level.func()) << ", "
                  << given_name(level.var().name()) << ")";
        }
        print_store_level(f, level, calls);
        for (const Bound &b : f.schedule().bounds()) {
            if (b.modulus.defined()) {
                calls << "\n    .align_bounds(" << b.var << ", " << b.modulus << ")";
            } else if (b.min.defined()) {
                calls << "\n    .bound(" << b.var << ", " << b.min << ", " << b.extent << ")";
            } else if (b.extent.defined()) {
                calls << "\n    .bound_extent(" << b.var << ", " << b.extent << ")";
            }
        }
        print_storage(f, calls);
        print_stage(f.definition().schedule(), calls);
        emit(handles_[f.name()], calls.str());
        for (size_t i = 0; i < f.updates().size(); i++) {
            std::ostringstream update;
            print_stage(f.updates()[i].schedule(), update);
            emit(handles_[f.name()] + ".update(" + std::to_string(i) + ")", update.str());
        }
    }

    std::string handle(const std::string &name) const {
        const auto known = handles_.find(name);
        return known == handles_.end() ? given_name(name) : known->second;
    }

    void print_store_level(const Function &f, const Halide::LoopLevel &compute,
                           std::ostringstream &calls) {
        Halide::LoopLevel store = f.schedule().store_level();
        store.lock();
        if (!store.is_inlined() && !store.is_root() && !store.match(compute)) {
            calls << "\n    .store_at(" << handle(store.func()) << ", "
                  << given_name(store.var().name()) << ")";
        }
    }

    void emit(const std::string &what, const std::string &calls) {
        if (!calls.empty()) {
            calls_ << what << calls << ";\n";
        }
    }

    static void print_storage(const Function &f, std::ostringstream &calls) {
        if (f.schedule().memory_type() == Halide::MemoryType::Register) {
            calls << "\n    .store_in(MemoryType::Register)";
        }
        const auto &dims = f.schedule().storage_dims();
        const bool reordered =
            !std::equal(dims.begin(), dims.end(), f.args().begin(), f.args().end(),
                        [](const StorageDim &d, const std::string &arg) { return d.var == arg; });
        if (reordered) {
            calls << "\n    .reorder_storage(";
            for (size_t i = 0; i < dims.size(); i++) {
                calls << (i == 0 ? "" : ", ") << dims[i].var;
            }
            calls << ")";
        }
        for (const StorageDim &dim : dims) {
            if (dim.alignment.defined()) {
                calls << "\n    .align_storage(" << dim.var << ", " << dim.alignment << ")";
            }
            if (dim.bound.defined()) {
                calls << "\n    .bound_storage(" << dim.var << ", " << dim.bound << ")";
            }
        }
    }

    void print_stage(const StageSchedule &s, std::ostringstream &calls) {
        if (s.atomic()) {
            calls << "\n    .atomic()";
        }
        for (const Split &split : s.splits()) {
            const std::string old = given_name(split.old_var), outer = given_name(split.outer),
                              inner = given_name(split.inner);
            if (split.split_type == Split::SplitVar) {
                calls << "\n    .split(" << old << ", " << outer << ", " << inner << ", "
                      << split.factor << ", " << tail_name(split.tail) << ")";
            } else if (split.split_type == Split::FuseVars) {
                calls << "\n    .fuse(" << inner << ", " << outer << ", " << old << ")";
            } else {
                calls << "\n    .rename(" << old << ", " << outer << ")";
            }
        }
        std::string order;
        int loops = 0;
        for (const Dim &d : s.dims()) {
            const std::string name = given_name(d.var);
            if (d.var == "__outermost" || name == "__outermost") {
                continue;
            }
            (d.is_rvar() ? rvars_ : vars_).insert(last_part(d.var));
            order += (order.empty() ? "" : ", ") + name;
            loops++;
        }
        for (const Split &split : s.splits()) {
            for (const std::string &name : {split.old_var, split.outer, split.inner}) {
                if (!name.empty() && rvars_.count(last_part(name)) == 0) {
                    vars_.insert(last_part(name));
                }
            }
        }
        if (loops > 1) {
            calls << "\n    .reorder(" << order << ")";
        }
        for (const Dim &d : s.dims()) {
            if (const char *call = loop_call(d.for_type)) {
                calls << "\n    ." << call << "(" << given_name(d.var) << ")";
            }
        }
    }

    std::map<std::string, Function> env_;
    std::map<std::string, std::string>
        made_for_;  // by what rfactor() made: the Func whose sums it has
    std::set<std::string> added_;
    std::vector<std::string> order_;
    std::map<std::string, std::string> handles_;
    std::set<std::string> outputs_, vars_, rvars_;
    std::ostringstream funcs_, calls_;
};

}  // namespace

std::string schedule_source(const std::vector<Func> &outputs) { return Printer(outputs).print(); }

}  // namespace emulsion
