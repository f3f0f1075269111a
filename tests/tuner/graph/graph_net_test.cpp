#include "tuner/graph/graph_net.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fusion/error.h"
#include "tests/tuner/toy_programs.h"

namespace emulsion {

namespace {

using Matrix = GraphNet<double>::Matrix;

NetShape small_shape(bool propagates) {
    return {.inputs = node_columns(kToyRow), .hidden = 5, .layers = 2, .propagates = propagates};
}

CodeList pointers_to(const std::vector<CodeFeatures> &programs) {
    CodeList list;
    for (const CodeFeatures &program : programs) {
        list.push_back(&program);
    }
    return list;
}

TEST(ProgramBatch, HasEveryNodeWithThoseThatItIsRelatedTo) {
    // A root, two nodes below it, and one below the first of these, which reads what the second has allocated.
    const CodeFeatures program{
        {}, {{0, 0, 1, 2.0F}, {1, 0, 2, 3.0F}, {1, 0, 3, 4.0F}, {2, 3, 4, 5.0F}}};
    const auto batch = batch_of<double>({&program, &program}, 4);
    ASSERT_EQ(8, batch.nodes.rows());
    ASSERT_EQ(kNodeKinds + 1, batch.nodes.cols());
    EXPECT_EQ(1.0, batch.nodes(7, 4));
    EXPECT_EQ(5.0, batch.nodes(7, kNodeKinds));
    const Matrix ones = Matrix::Identity(8, 8);
    const Matrix above = batch.relations.means(NodeRelation::Above, ones),
                 below = batch.relations.means(NodeRelation::Below, ones),
                 data = batch.relations.means(NodeRelation::Data, ones);
    for (const NodeRelation relation : kNodeRelations) {
        EXPECT_TRUE(batch.relations.slopes(relation, ones)
                        .isApprox(batch.relations.means(relation, ones).transpose()));
    }
    Matrix expected(4, 4);
    expected << 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0;
    EXPECT_TRUE(above.topLeftCorner(4, 4).isApprox(expected));
    EXPECT_TRUE(above.bottomRightCorner(4, 4).isApprox(expected));
    EXPECT_EQ(0.0, above.topRightCorner(4, 4).norm());
    const double third = 1.0 / 3.0;
    expected << 0, third, third, third, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0;
    EXPECT_TRUE(below.topLeftCorner(4, 4).isApprox(expected));
    expected << 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0;
    EXPECT_TRUE(data.topLeftCorner(4, 4).isApprox(expected));
    EXPECT_TRUE((batch.sum * Matrix::Ones(8, 1)).isApprox(Matrix::Constant(2, 1, 4.0)));
    EXPECT_TRUE((batch.mean * Matrix::Ones(8, 1)).isApprox(Matrix::Constant(2, 1, 1.0)));
}

TEST(ProgramBatch, RefusesWhatIsNoGraph) {
    for (const FeatureRows &rows :
         std::vector<FeatureRows>{{{0, 0, 1, 2.0F}, {3, 0, 1, 0.0F}},   // a parent behind it
                                  {{0, 0, 1, 2.0F}, {1, -1, 1, 0.0F}},  // a link to nothing
                                  {{0, 0, 99, 2.0F}},                   // a kind that there is not
                                  {{0, 0, std::nanf(""), 2.0F}},        // none at all
                                  {{0, 0, 1, 2.0F}, {1, 0, 1, 2.0F, 3.0F}}}) {  // another length
        const CodeFeatures program{{}, rows};
        EXPECT_THROW(batch_of<float>({&program}, 4), Error);
    }
}

TEST(GraphNet, HasTheGradientOfItsLoss) {
    const std::vector<CodeFeatures> programs = toy_programs(3, 1);
    const auto batch = batch_of<double>(pointers_to(programs), kToyRow);
    Matrix weights(3, 1);
    weights << 1.0, -2.0, 0.5;
    for (const bool propagates : {true, false}) {
        GraphNet<double> net(small_shape(propagates), 3);
        // Biases that are not 0, so that no relu is at its edge.
        std::mt19937_64 engine(4);
        std::normal_distribution<double> normal(0.0, 0.3);
        for (Matrix &parameter : net.parameters()) {
            for (Eigen::Index i = 0; i < parameter.size(); i++) {
                parameter.data()[i] += normal(engine);
            }
        }
        const auto loss = [&] {
            return net.predict(batch).cwiseAbs2().cwiseProduct(weights).sum();
        };
        const auto gradient = net.gradient(batch, [&](const Matrix &output) -> Matrix {
            return 2.0 * output.cwiseProduct(weights);
        });
        ASSERT_EQ(net.parameters().size(), gradient.size());
        for (size_t p = 0; p < gradient.size(); p++) {
            for (Eigen::Index i = 0; i < gradient[p].size(); i++) {
                double &value = net.parameters()[p].data()[i];
                const double was = value, step = 1e-6;
                value = was + step;
                const double above = loss();
                value = was - step;
                const double below = loss();
                value = was;
                const double slope = gradient[p].data()[i];
                EXPECT_NEAR((above - below) / (2.0 * step), slope,
                            1e-5 * std::max(1.0, std::fabs(slope)))
                    << propagates << " parameter " << p << " number " << i;
            }
        }
    }
}

TEST(GraphNet, KnowsOfOtherNodesOnlyWhenItPropagates) {
    // Equal nodes in other places.
    const CodeFeatures chain{{}, {{0, 0, 1, 1.0F}, {1, 0, 2, 2.0F}, {2, 0, 3, 3.0F}}};
    const CodeFeatures star{{}, {{0, 0, 1, 1.0F}, {1, 0, 2, 2.0F}, {1, 0, 3, 3.0F}}};
    const auto batch = batch_of<double>({&chain, &star}, 4);
    NetShape shape{.inputs = node_columns(4), .hidden = 8, .layers = 2, .propagates = true};
    const Matrix with = GraphNet<double>(shape, 1).predict(batch);
    EXPECT_LT(1e-3, std::fabs(with(0) - with(1)));
    shape.propagates = false;
    const Matrix without = GraphNet<double>(shape, 1).predict(batch);
    EXPECT_NEAR(without(0), without(1), 1e-12);
}

TEST(GraphNet, SaysOfAProgramTheSameInAnyBatch) {
    const std::vector<CodeFeatures> programs = toy_programs(5, 2);
    const GraphNet<double> net(small_shape(true), 1);
    const Matrix together = net.predict(batch_of<double>(pointers_to(programs), kToyRow));
    for (size_t i = 0; i < programs.size(); i++) {
        const Matrix alone = net.predict(batch_of<double>({&programs[i]}, kToyRow));
        EXPECT_NEAR(alone(0), together(static_cast<Eigen::Index>(i)), 1e-12);
    }
}

TEST(GraphNet, RefusesParametersOfAnotherShape) {
    GraphNet<float>::Parameters parameters = GraphNet<float>(small_shape(true), 1).parameters();
    NetShape larger = small_shape(true);
    larger.hidden++;
    EXPECT_THROW(GraphNet<float>(larger, parameters), Error);
    parameters.front()(0, 0) = std::nanf("");
    EXPECT_THROW(GraphNet<float>(small_shape(true), parameters), Error);
}

}  // namespace

}  // namespace emulsion
