#include "fusion/mapping_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace emulsion {

namespace {

constexpr MappingType kRisingImpedance[] = {MappingType::OneToOne,   MappingType::Reorganize,
                                            MappingType::Shuffle,    MappingType::OneToMany,
                                            MappingType::ManyToMany, MappingType::Opaque};

}  // namespace

TEST(MappingTypes, TheMoreComplexOfTwoWins) {
    for (size_t i = 0; i < std::size(kRisingImpedance); i++) {
        for (size_t j = 0; j < std::size(kRisingImpedance); j++) {
            EXPECT_EQ(kRisingImpedance[std::max(i, j)],
                      most_complex(kRisingImpedance[i], kRisingImpedance[j]));
        }
    }
}

TEST(MappingTypes, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (MappingType type : kRisingImpedance) {
        names.insert(to_string(type));
    }
    EXPECT_EQ(std::size(kRisingImpedance), names.size());
    EXPECT_EQ("Many-to-Many", to_string(MappingType::ManyToMany));
}

}  // namespace emulsion
