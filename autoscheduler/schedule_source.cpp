#include "autoscheduler/schedule_source.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "autoscheduler/func_order.h"
#include "autoscheduler/rfactor_source.h"
#include "autoscheduler/stage_source.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Func;
using Halide::LoopLevel;

// How Halide names what rfactor() makes of a Func. Of '$', which stands before the number of a name that occurs again,
// it makes '_' where it has to number the new name too.
constexpr const char *kMadeByRfactor = "_intm";

bool is_named_by_rfactor(const std::string &made, std::string name) {
    const bool plain = made.starts_with(name + kMadeByRfactor);
    std::replace(name.begin(), name.end(), '$', '_');
    return plain || made.starts_with(name + kMadeByRfactor);
}

// Of the parts of a sum: the Func with few lanes that folds them, or null.
const Function *folded_for(const Function &parts, const std::string &sum,
                           const std::map<std::string, Function> &env) {
    for (const auto &[name, other] : env) {
        if (name != parts.name() && is_named_by_rfactor(name, sum) && other.updates().size() == 1 &&
            find_direct_calls(other).count(parts.name()) != 0) {
            return &other;
        }
    }
    return nullptr;
}

// Of a Func whose sums another one adds up, which rfactor() made: the Func that has them.
std::optional<std::string> adds_up_for(const Function &f,
                                       const std::map<std::string, Function> &env) {
    for (const auto &[name, other] : env) {
        const bool named = is_named_by_rfactor(f.name(), name);
        if (named && other.updates().size() == 1 &&
            (find_direct_calls(other).count(f.name()) != 0 ||
             folded_for(f, name, env) != nullptr)) {
            return name;
        }
    }
    return std::nullopt;
}

// Of names in a comment: none ends it, or goes on into the next line.
std::string in_a_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return c == '\\' || (c >= 0 && std::iscntrl(c) != 0); }, ' ');
    return text;
}

class Printer {
public:
    Printer(const std::vector<Func> &outputs, const std::map<std::string, std::string> &reasons,
            const std::set<std::string> &kept)
        : reasons_(reasons), kept_(kept) {
        const std::vector<Function> functions = functions_of(outputs);
        for (const Func &output : outputs) {
            outputs_.insert(output.name());
        }
        env_ = build_environment(functions);
        for (const auto &[name, function] : env_) {
            if (const auto sum = adds_up_for(function, env_)) {
                made_for_[name] = *sum;
            }
            for (const auto &[copy, readers] : copies_of(function)) {
                with_copies_.insert(name);
                with_copies_.insert(readers.begin(), readers.end());
            }
        }
        const auto calls = [this](const Function &f) { return calls_before(f); };
        order_ = structural_order(functions, calls);
        for (const std::string &name : numbered_order(functions, calls)) {
            numbers_.emplace(name, numbers_.size());
        }
    }

    std::string print() {
        for (const std::string &name : order_) {
            if (is_scheduled(env_.at(name)) || with_copies_.count(name) != 0) {
                print_func(name);
            }
        }
        for (const std::string &name : with_made()) {
            if (const auto sum = made_for_.find(name); sum != made_for_.end()) {
                names_.name_func(name, "partial_sums");  // Halide's name has that of the sum inside
                const Function &parts = env_.at(name);
                made_ << rfactor_source(parts, env_.at(sum->second),
                                        folded_for(parts, sum->second, env_), names_);
            }
        }
        const std::vector<std::string> all = with_made();
        for (size_t i = 0; i < all.size(); i++) {
            positions_[all[i]] = i;
        }
        for (auto name = all.rbegin(); name != all.rend(); ++name) {  // copies of readers first
            print_copies(env_.at(*name));
        }
        for (const std::string &name : all) {
            print_reason(name);
            if (kept_.count(name) != 0) {
                std::ostringstream levels;
                print_levels(env_.at(name), levels);
                emit(name, "", levels.str());
                continue;
            }
            if (is_scheduled(env_.at(name))) {
                print_calls(env_.at(name));
            }
            for (const auto &[copy, readers] : copies_of(env_.at(name))) {
                print_reason(copy);
                if (is_scheduled(env_.at(copy))) {
                    print_calls(env_.at(copy));
                }
            }
        }
        return funcs_.str() + names_.loop_declarations() + made_.str() + "\n" + calls_.str();
    }

private:
    // What `f` read before it was scheduled: what scheduling made is looked through.
    std::vector<Function> calls_before(const Function &f) const {
        std::vector<Function> before;
        for (const Function &callee : direct_calls(f)) {
            if (made_for_.count(callee.name()) == 0) {
                before.push_back(callee);
                continue;
            }
            for (const Function &read : calls_before(callee)) {
                if (read.name() != f.name()) {
                    before.push_back(read);
                }
            }
        }
        return before;
    }

    // What some or all readers read in its place, by name: these readers.
    static std::map<std::string, std::vector<std::string>> copies_of(const Function &f) {
        std::map<std::string, std::vector<std::string>> copies;
        for (const auto &[reader, copy] : f.schedule().wrappers()) {
            copies[Function(copy).name()].push_back(reader);
        }
        return copies;
    }

    void print_copies(const Function &f) {
        for (auto &[copy, readers] : copies_of(f)) {
            // What Func::in() makes reads the Func.
            const bool reads_it = find_direct_calls(env_.at(copy)).count(f.name()) != 0;
            // Halide's name has that of the reader inside.
            names_.name_func(copy, names_.func(f.name()) + (reads_it ? "_stored" : "_copy"));
            positions_[copy] = positions_.at(f.name());
            std::sort(readers.begin(), readers.end(),
                      [&](const std::string &a, const std::string &b) {
                          return positions_[a] < positions_[b];
                      });
            std::string list;
            for (const std::string &reader : readers) {
                list += (list.empty() ? "" : ", ") + (reader.empty() ? "" : names_.func(reader));
            }
            made_ << "Func " << names_.func(copy) << " = " << names_.func(f.name())
                  << (reads_it ? ".in(" : ".clone_in(")
                  << (readers.size() > 1 ? "{" + list + "}" : list) << ");\n";
        }
    }

    // All Funcs, those that scheduling made before those that they were made for.
    std::vector<std::string> with_made() const {
        std::vector<std::string> all;
        for (const std::string &name : order_) {
            for (const auto &[made, sum] : made_for_) {
                if (sum == name) {
                    all.push_back(made);
                }
            }
            all.push_back(name);
        }
        return all;
    }

    // A Func, and where its loops can be had from. Inlined Funcs have none.
    void print_func(const std::string &name) {
        const Function &f = env_.at(name);
        const std::string handle = names_.func(name);
        funcs_ << "Func " << handle << " = pipeline.get_func(" << numbers_.at(name) << ");\n";
        for (size_t i = 0; i < f.args().size(); i++) {
            names_.offer_var(f.args()[i], handle + ".args()[" + std::to_string(i) + "]");
        }
        if (is_shared(name)) {
            return;
        }
        for (size_t u = 0; u < f.updates().size(); u++) {
            const auto &rvars = f.updates()[u].schedule().rvars();
            for (size_t i = 0; i < rvars.size(); i++) {
                names_.offer_rvar(rvars[i].var, rvar_source(handle, u, i));
            }
        }
    }

    bool is_shared(const std::string &sum) const {
        return std::any_of(made_for_.begin(), made_for_.end(),
                           [&](const auto &made) { return made.second == sum; });
    }

    bool is_scheduled(const Function &f) const {
        return !level(f.schedule().compute_level()).is_inlined() || f.has_update_definition() ||
               outputs_.count(f.name()) != 0;
    }

    static LoopLevel level(LoopLevel level) {
        level.lock();
        return level;
    }

    void print_reason(const std::string &name) {
        const auto reason = reasons_.find(name);
        if (reason != reasons_.end()) {
            calls_ << "// " << in_a_line(reason->second) << "\n";
        }
    }

    void print_calls(const Function &f) {
        std::ostringstream calls;
        print_levels(f, calls);
        const bool is_made = made_for_.count(f.name()) != 0;
        calls << storage_source(f, names_) << stage_source(f, 0, names_, is_made);
        emit(f.name(), "", calls.str());
        for (const std::string &special : specialisations_source(f, outputs_, names_)) {
            emit(f.name(), "", special);
        }
        for (int i = 0; i < static_cast<int>(f.updates().size()); i++) {
            const std::string update = stage_source(f, i + 1, names_, is_made);
            // rfactor() is a directive, too.
            emit(f.name(), ".update(" + std::to_string(i) + ")",
                 update.empty() && !is_shared(f.name()) ? "\n    .unscheduled()" : update);
        }
    }

    void print_levels(const Function &f, std::ostringstream &calls) {
        const LoopLevel compute = level(f.schedule().compute_level()),
                        store = level(f.schedule().store_level());
        if (compute.is_root()) {
            calls << "\n    .compute_root()";
        } else if (!compute.is_inlined()) {
            calls << "\n    .compute_at(" << place(compute) << ")";
        }
        if (store.is_root() && !compute.is_root()) {
            calls << "\n    .store_root()";
        } else if (!store.is_root() && !store.is_inlined() && !store.match(compute)) {
            calls << "\n    .store_at(" << place(store) << ")";
        }
    }

    std::string place(const LoopLevel &level) {
        const Halide::VarOrRVar loop = level.var();
        const std::string text = last_part(loop.name()) == Halide::Var::outermost().name()
                                     ? "Var::outermost()"
                                 : loop.is_rvar ? names_.rvar(loop.name())
                                                : names_.var(loop.name());
        return names_.func(level.func()) + ", " + text;
    }

    void emit(const std::string &func, const std::string &definition, const std::string &calls) {
        if (!calls.empty()) {
            calls_ << names_.func(func) << definition << calls << ";\n";
        }
    }

    const std::map<std::string, std::string> &reasons_;
    const std::set<std::string> &kept_;
    std::map<std::string, Function> env_;
    std::map<std::string, std::string>
        made_for_;  // by what rfactor() made: the Func whose sums it has
    std::vector<std::string> order_;
    std::map<std::string, size_t> positions_;  // producers first, copies beside what they are of
    std::set<std::string> with_copies_;        // that have copies or read them
    std::map<std::string, size_t> numbers_;    // as pipeline.get_func() counts
    std::set<std::string> outputs_;
    SourceNames names_;
    std::ostringstream funcs_, made_, calls_;
};

}  // namespace

std::string schedule_source(const std::vector<Func> &outputs,
                            const std::map<std::string, std::string> &reasons,
                            const std::set<std::string> &kept) {
    return Printer(outputs, reasons, kept).print();
}

}  // namespace emulsion
