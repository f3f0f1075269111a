#include "fusion/fusion_rules.h"

#include <gtest/gtest.h>

#include <map>

namespace emulsion {

namespace {

constexpr MappingType kTypes[] = {MappingType::OneToOne, MappingType::Reorganize,
                                  MappingType::Shuffle, MappingType::OneToMany,
                                  MappingType::ManyToMany};

}  // namespace

TEST(FusionRules, ThirteenPairsAreFusedTenAreAskedAboutAndTwoNever) {
    std::map<Verdict, int> count;
    for (const MappingType producer : kTypes) {
        for (const MappingType edge : kTypes) {
            count[fusion_rule(producer, edge).verdict]++;
        }
    }
    EXPECT_EQ(count[Verdict::Fuse], 13);
    EXPECT_EQ(count[Verdict::Ask], 10);
    EXPECT_EQ(count[Verdict::Never], 2);
}

TEST(FusionRules, TheMoreComplexTypeIsThatOfTheResult) {
    EXPECT_EQ(fusion_rule(MappingType::ManyToMany, MappingType::OneToOne).result,
              MappingType::ManyToMany);
    EXPECT_EQ(fusion_rule(MappingType::Reorganize, MappingType::Shuffle).result,
              MappingType::Reorganize);
    for (const MappingType type : kTypes) {
        EXPECT_EQ(fusion_rule(MappingType::OneToOne, type).result, type);
        EXPECT_EQ(fusion_rule(MappingType::OneToOne, type).verdict, Verdict::Fuse);
        EXPECT_EQ(fusion_rule(type, MappingType::OneToOne).verdict, Verdict::Fuse);
    }
}

TEST(FusionRules, OpaqueOperatorsAreNeverFused) {
    EXPECT_EQ(fusion_rule(MappingType::Opaque, MappingType::OneToOne).verdict, Verdict::Never);
    EXPECT_EQ(fusion_rule(MappingType::OneToOne, MappingType::Opaque).verdict, Verdict::Never);
}

}  // namespace emulsion
