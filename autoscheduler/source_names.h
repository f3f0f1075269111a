// C++ identifiers for the Funcs and loops that the source of a schedule speaks of, each its own, and their declarations.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

class SourceNames {
public:
    // The identifier of a Func or loop, letters, digits and '_' of its name without Halide's count ("f$1"); the same for
    // the same name. Loops go by the last part of their names ("c.ci" is ci), as Halide finds them.
    std::string func(const std::string &name);
    // The Func is called `as`, or almost so, before it is asked for.
    void name_func(const std::string &name, const std::string &as);
    std::string var(const std::string &name);
    std::string rvar(const std::string &name);

    // Where a pipeline has the loop: an expression of C++. The first one stands. Others are made by name.
    void offer_var(const std::string &name, const std::string &expression);
    void offer_rvar(const std::string &name, const std::string &expression);

    // Of all loops that were asked for, in the order of asking.
    std::string loop_declarations() const;

private:
    struct Loop {
        std::string name;
        bool is_reduction = false;
        auto operator<=>(const Loop &) const = default;
    };

    std::string fresh(const std::string &name);
    std::string loop(const Loop &loop);

    std::set<std::string> taken_;
    std::map<std::string, std::string> funcs_;
    std::map<Loop, std::string> loops_;    // identifiers
    std::map<Loop, std::string> origins_;  // expressions
    std::vector<Loop> asked_;
};

// What was given: Halide keeps names of loops with those they were split from.
std::string last_part(const std::string &name);

}  // namespace emulsion
