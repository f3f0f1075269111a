#include "autoscheduler/copies.h"

#include <algorithm>

#include "autoscheduler/func_order.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::Internal::Function;

Error misfit(const PlannedCopy &copy, const std::string &what) {
    return Error("the plan does not fit the pipeline: its copy '" + copy.name + "' " + what);
}

bool reads(const Func &reader, const Func &read) {
    const std::vector<Function> calls = direct_calls(reader.function());
    return std::any_of(calls.begin(), calls.end(),
                       [&](const Function &f) { return f.name() == read.name(); });
}

}  // namespace

std::map<std::string, std::string> make_copies(const std::vector<PlannedCopy> &copies,
                                               const std::set<std::string> &fixed,
                                               std::map<std::string, Func> &env) {
    std::map<std::string, std::string> copied;
    for (const PlannedCopy &copy : copies) {
        const auto of = env.find(copy.of);
        if (of == env.end() || copied.count(of->second.name()) != 0) {
            throw misfit(copy, "is of '" + copy.of + "', which is no Func");
        }
        if (fixed.count(copy.of) != 0) {
            throw misfit(copy, "is an output's or of a Func that you scheduled yourself");
        }
        if (!of->second.function().schedule().wrappers().empty()) {
            throw misfit(copy, "is another of '" + copy.of + "', which has one");
        }
        std::vector<Func> readers;
        for (const std::string &name : copy.readers) {
            const auto reader = env.find(name);
            if (reader == env.end() || !reads(reader->second, of->second)) {
                throw misfit(copy, "is for '" + name + "', which doesn't read it");
            }
            readers.push_back(reader->second);
        }
        if (readers.empty() || env.count(copy.name) != 0) {
            throw misfit(copy, readers.empty() ? "has no readers" : "is named like another Func");
        }
        // As the source of the schedule has it, so that they get the same names.
        const Func made = readers.size() == 1 ? of->second.clone_in(readers.front())
                                              : of->second.clone_in(readers);
        copied.emplace(made.name(), of->second.name());
        env.emplace(copy.name, made);
    }
    return copied;
}

}  // namespace emulsion
