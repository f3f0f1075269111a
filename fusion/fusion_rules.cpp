#include "fusion/fusion_rules.h"

#include <array>

namespace emulsion {

namespace {

using enum MappingType;
using enum Verdict;

// Rows: the producer's type; columns: the edge's. Both in the order of MappingType: One-to-One, Reorganize,
// Shuffle, One-to-Many, Many-to-Many.
constexpr std::array<std::array<FusionRule, 5>, 5> kRules = {{
    {{{OneToOne, Fuse},
      {Reorganize, Fuse},
      {Shuffle, Fuse},
      {OneToMany, Fuse},
      {ManyToMany, Fuse}}},
    {{{Reorganize, Fuse},
      {Reorganize, Fuse},
      {Reorganize, Fuse},
      {OneToMany, Ask},
      {ManyToMany, Ask}}},
    {{{Shuffle, Fuse}, {Reorganize, Fuse}, {Shuffle, Fuse}, {OneToMany, Ask}, {ManyToMany, Ask}}},
    {{{OneToMany, Fuse},
      {OneToMany, Ask},
      {OneToMany, Ask},
      {OneToMany, Ask},
      {ManyToMany, Never}}},
    {{{ManyToMany, Fuse},
      {ManyToMany, Ask},
      {ManyToMany, Ask},
      {ManyToMany, Ask},
      {ManyToMany, Never}}},
}};

}  // namespace

FusionRule fusion_rule(MappingType producer, MappingType edge) {
    if (producer == Opaque || edge == Opaque) {
        return {};
    }
    return kRules.at(static_cast<size_t>(producer)).at(static_cast<size_t>(edge));
}

}  // namespace emulsion
