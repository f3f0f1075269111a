// What the unit cache keeps of a unit.
#include "backend/unit_entry.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

Plan shrunk_plan() {
    Plan plan;
    plan.policy = "replay";
    plan.groups.push_back({GroupKind::Compute, {{"m0_op", "direct", {}, 0, {}, {}, {}}}, {}, -1});
    plan.groups[0].members[0].nest = {"convolution", {{"vector", 8}}};
    return plan;
}

}  // namespace

TEST(UnitEntries, ComeBackAsTheyWere) {
    const std::string object("\0object 0000000004", 18);
    const auto planned = unit_entry(to_bytes({object, {}}));
    ASSERT_TRUE(planned);
    EXPECT_EQ(object, planned->object);
    EXPECT_FALSE(planned->shrunk);
    const auto shrunk = unit_entry(to_bytes({object, shrunk_plan()}));
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(object, shrunk->object);
    ASSERT_TRUE(shrunk->shrunk);
    EXPECT_EQ(shrunk_plan(), *shrunk->shrunk);
}

TEST(UnitEntries, OfOtherFormsAreNone) {
    for (const char *bytes : {"", "short", "object000000000x", "object0000000099", "0000000000",
                              "object{}0000000002"}) {
        EXPECT_FALSE(unit_entry(bytes)) << bytes;
    }
}

}  // namespace emulsion
