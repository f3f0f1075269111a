#include "bench/tuning/planning_again.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "frontend/lower/problem_key.h"
#include "frontend/zoo/zoo.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

// What every group computes.
std::vector<std::vector<std::string>> groups_of(const PlannedModel &model) {
    std::vector<std::vector<std::string>> groups;
    for (const PlannedGroup &group : model.networks.front().plan.groups) {
        groups.emplace_back();
        for (const PlannedMember &member : group.members) {
            groups.back().push_back(member.op);
        }
    }
    return groups;
}

class PlanningAgains : public testing::Test {
protected:
    PlanningAgains() : folder_(make_scratch_folder()) {
        const std::string model = folder_->path() / "model.onnx";
        write_zoo_model("tiny_residual", model);
        options_.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
        options_.plan.target = "x86-64-linux-avx2-fma";
        options_.plan.threads = 2;
        planned_ = planned_model(loaded_model(model, options_), options_);
    }

    // Groups of the first plan take as long as predicted; those of several operators so many times as long.
    MeasuredTimes times(double several) const {
        std::map<std::string, double> ms;
        const PlannedNetwork &network = planned_.networks.front();
        const std::vector<size_t> launched = network.launched_groups();
        for (size_t i = 0; i < launched.size(); i++) {
            const PlannedGroup &group = network.plan.groups[launched[i]];
            ms[problem_key(network.launches[i].unit)] = network.machine.milliseconds(group.cycles) *
                                                        (group.members.size() > 1 ? several : 1.0);
        }
        return [ms](const std::string &problem) {
            const auto found = ms.find(problem);
            return found != ms.end() ? found->second : 0.0;
        };
    }

    std::unique_ptr<TemporaryFolder> folder_;
    CompileOptions options_;
    PlannedModel planned_;
};

TEST_F(PlanningAgains, EndWherePricesAreAsPredicted) {
    PlanningAgain planning(planned_, options_);
    EXPECT_EQ(nullptr, planning.next(times(1.0)));
    EXPECT_EQ(1u, planning.count());
}

TEST_F(PlanningAgains, LeadToOtherGroupsWhereThoseAreSlow) {
    PlanningAgain planning(planned_, options_);
    const PlannedModel *other = planning.next(times(50.0));
    ASSERT_NE(nullptr, other);
    EXPECT_NE(groups_of(planned_), groups_of(*other));
    EXPECT_EQ(2u, planning.count());
    // With the same prices it comes back.
    EXPECT_EQ(nullptr, planning.next(times(50.0)));
    EXPECT_EQ(2u, planning.count());
}

}  // namespace
}  // namespace emulsion
