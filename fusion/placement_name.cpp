#include "fusion/placement_name.h"

#include <array>
#include <utility>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr std::array<std::pair<Placement, const char *>, 5> kNames{
    {{Placement::Inline, "inline"},
     {Placement::Register, "register"},
     {Placement::Panel, "panel"},
     {Placement::Whole, "whole"},
     {Placement::Root, "root"}}};

}  // namespace

const char *placement_name(Placement placement) {
    for (const auto &[value, name] : kNames) {
        if (value == placement) {
            return name;
        }
    }
    return "";
}

Placement placement_named(const std::string &name) {
    for (const auto &[value, known] : kNames) {
        if (name == known) {
            return value;
        }
    }
    throw Error("the plan has an unknown placement '" + name + "'");
}

}  // namespace emulsion
