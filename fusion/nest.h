// Loop nests as data: a template's name and its integer parameters. The templates themselves, which
// turn these into Halide scheduling calls, are files of autoscheduler/templates/.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace emulsion {

// Where a Func of a group is computed.
enum class Placement {
    Inline,    // in the expressions that read it
    Register,  // at the innermost tile of the group's root, in registers
    Panel,     // at the outermost tile or row of the group's root, in a cache
    Whole,     // all of it before the loops of the group's root, in a cache
    Root,      // stored to memory; exactly one Func of a group, its last
};

// A loop nest: template plus parameters. Empty name: the Func has none of its own.
struct Nest {
    std::string template_name;
    std::map<std::string, int64_t> parameters;

    bool empty() const { return template_name.empty(); }
    bool operator==(const Nest &) const = default;
};

}  // namespace emulsion
