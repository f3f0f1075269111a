#include "frontend/lower/set_nests.h"

#include <gtest/gtest.h>

#include "frontend/lower/network_plan.h"
#include "frontend/lower/structure_hash.h"
#include "fusion/group_nests.h"
#include "tests/lower/execution.h"
#include "tests/lower/nest_points.h"
#include "tests/lower/network_maker.h"
#include "tests/lower/random_operator.h"

namespace emulsion::test {

namespace {

// Two convolutions of images of different sizes, one after the other of the same weights.
class SharedWeights : public testing::Test {
protected:
    SharedWeights() : maker_(1) {
        const TensorId weights = maker_.constant({37, 5, 3, 3});
        for (const int64_t size : {9, 6}) {
            const TensorId x = maker_.input({1, 5, size, size});
            results_.push_back(maker_.node("Conv", {x, weights}, {1, 37, size - 2, size - 2}));
        }
        graph_ = maker_.finish(results_);
        options_.target = "x86-64-linux-avx2-fma";
        network_ = plan_network(graph_, options_);
    }

    // One of the groups that compute a convolution.
    PlannedGroup &convolution(size_t index) {
        for (PlannedGroup &group : network_.plan.groups) {
            if (group.members.front().nest.template_name == "convolution" && index-- == 0) {
                return group;
            }
        }
        throw std::logic_error("there is no such convolution");
    }

    // The planned value of the weights that it reads.
    int weights_of(size_t index) {
        for (const int v : convolution(index).inputs) {
            if (network_.plan.values.at(static_cast<size_t>(v)).layout.block_axis >= 0) {
                return v;
            }
        }
        ADD_FAILURE() << "no constant lies in blocks";
        return 0;
    }

    int64_t block_of(size_t index) {
        return network_.plan.values.at(static_cast<size_t>(weights_of(index))).layout.block;
    }

    void set_vectors(size_t index, int64_t vectors) {
        PlannedGroup &changed = convolution(index);
        Nest nest = group_nest(changed);
        nest.parameters.at("vectors") = vectors;
        nest.parameters.at("width") = 1;
        EXPECT_EQ("", group_space(network_.operators, changed).is_valid(nest));
        set_group_nest(changed, nest);
        follow_nests(network_);
    }

    void expect_right() {
        const TensorValues inputs = operator_inputs(graph_, 1);
        EXPECT_EQ("", run_and_compare(network_, inputs, evaluate_reference(graph_, inputs)));
    }

    NetworkMaker maker_;
    std::vector<TensorId> results_;
    Graph graph_;
    PlanOptions options_;
    PlannedNetwork network_;
};

TEST_F(SharedWeights, LieOnceForEqualBlocks) {
    EXPECT_EQ(weights_of(0), weights_of(1));
    expect_right();
}

TEST_F(SharedWeights, LieTwiceForDifferentOnes) {
    const size_t values = network_.plan.values.size();
    const int64_t before = block_of(1);
    const int64_t vectors = before == 8 ? 3 : 1;
    set_vectors(0, vectors);
    EXPECT_EQ(8 * vectors, block_of(0));
    EXPECT_EQ(before, block_of(1));
    EXPECT_EQ(values + 1, network_.plan.values.size());
    expect_right();
    // Both in the new blocks: nobody reads the first ones any more.
    set_vectors(1, vectors);
    EXPECT_EQ(weights_of(0), weights_of(1));
    expect_right();
}

TEST_F(SharedWeights, LieAgainAsAPlanOfThemSays) {
    set_vectors(0, block_of(0) == 8 ? 5 : 1);
    options_.replay = std::make_shared<RecordedPlan>(
        RecordedPlan{network_.plan, structure_hash(graph_), "plan.json"});
    const PlannedNetwork again = plan_network(graph_, options_);
    EXPECT_EQ(network_.plan.values, again.plan.values);
    for (size_t i = 0; i < network_.launches.size(); i++) {
        EXPECT_EQ(unit_key(network_.launches[i].unit), unit_key(again.launches[i].unit));
    }
}

}  // namespace

}  // namespace emulsion::test
