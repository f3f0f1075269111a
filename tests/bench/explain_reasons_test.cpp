#include "bench/explain/reasons.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace emulsion::test {

namespace {

std::vector<ReasonKind> kinds(const std::vector<std::string> &reasons) {
    std::vector<Refusal> refusals;
    refusals.reserve(reasons.size());
    for (const std::string &reason : reasons) {
        refusals.push_back({"a", "b", reason});
    }
    return kinds_of_reasons(refusals);
}

using Indices = std::vector<size_t>;

}  // namespace

TEST(Reasons, ThatDifferInNumbersAreOneWithTheirRange) {
    const auto found =
        kinds({"together they would take 9 % longer", "the value is an output",
               "together they would take 114 % longer", "together they would take 19 % longer"});
    ASSERT_EQ(2U, found.size());
    EXPECT_EQ("together they would take 9 to 114 % longer", found[0].text);
    EXPECT_EQ((Indices{0, 2, 3}), found[0].refusals);
    EXPECT_EQ("the value is an output", found[1].text);
    EXPECT_EQ((Indices{1}), found[1].refusals);
}

TEST(Reasons, EqualNumbersAreNoRange) {
    const auto found = kinds({"the value is read by 4 groups", "the value is read by 4 groups"});
    ASSERT_EQ(1U, found.size());
    EXPECT_EQ("the value is read by 4 groups", found[0].text);
}

TEST(Reasons, ThatDifferInOperatorsAreOne) {
    const auto found = kinds({"'pool_1' can't follow the sums of 'conv2' in one loop nest",
                              "'pool 7' can't follow the sums of 'conv1' in one loop nest"});
    ASSERT_EQ(1U, found.size());
    EXPECT_EQ("an operator can't follow the sums of another in one loop nest", found[0].text);
    EXPECT_EQ(2U, kinds({"'x' has no rows", "'x' is read by nobody"}).size());
}

TEST(Reasons, LoopNestsKeepTheirNames) {
    const auto found = kinds({"loop nest 'pooling' can't compute a panel",
                              "loop nest 'generic' can't compute a panel",
                              "loop nest 'generic' can't compute a panel"});
    ASSERT_EQ(2U, found.size());
    EXPECT_EQ("loop nest 'generic' can't compute a panel", found[0].text);
}

TEST(Reasons, OneOfItsKindIsToldAsItIs) {
    EXPECT_EQ("'conv1' is read outside of the group by 'add 2'",
              kinds({"'conv1' is read outside of the group by 'add 2'"}).at(0).text);
    EXPECT_TRUE(kinds({}).empty());
    EXPECT_EQ("a 'quote without end 3", kinds({"a 'quote without end 3"}).at(0).text);
    EXPECT_EQ("", kinds({""}).at(0).text);
}

TEST(Reasons, EveryRefusalIsInOneKind) {
    std::vector<std::string> reasons;
    for (int i = 0; i < 100; i++) {
        reasons.push_back("'op" + std::to_string(i) + "' and " + std::to_string(i * 37 % 101) +
                          (i % 3 == 0 ? " more" : " %"));
    }
    Indices all;
    for (const ReasonKind &kind : kinds(reasons)) {
        all.insert(all.end(), kind.refusals.begin(), kind.refusals.end());
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(100U, all.size());
    for (size_t i = 0; i < all.size(); i++) {
        EXPECT_EQ(i, all[i]);
    }
}

}  // namespace emulsion::test
