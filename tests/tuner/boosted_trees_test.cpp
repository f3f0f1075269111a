#include "tuner/boosted_trees.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "fusion/error.h"
#include "tuner/losses.h"

namespace emulsion {

namespace {

// Rows of three columns, of which the first two count.
struct Samples {
    FeatureMatrix rows;
    std::vector<float> labels;
    std::vector<size_t> programs;
};

Samples samples_of(size_t count, uint64_t seed) {
    std::mt19937_64 engine(seed);
    Samples samples;
    samples.rows.columns = 3;
    for (size_t i = 0; i < count; i++) {
        const auto a = static_cast<float>(engine() % 8), b = static_cast<float>(engine() % 8);
        samples.rows.values.insert(samples.rows.values.end(),
                                   {a, b, static_cast<float>(engine() % 8)});
        samples.labels.push_back(a * b / 49.0F);
        samples.programs.push_back(i);
    }
    return samples;
}

BoostedTrees fitted(const Samples &samples) {
    BoostedTrees trees;
    trees.fit(samples.rows, samples.programs,
              squared_error(samples.labels, std::vector<float>(samples.labels.size(), 1.0F)));
    return trees;
}

TEST(BoostedTrees, LearnAFunction) {
    const BoostedTrees trees = fitted(samples_of(400, 1));
    const Samples others = samples_of(200, 2);
    const std::vector<float> predicted = trees.predict(others.rows);
    double error = 0.0;
    for (size_t i = 0; i < predicted.size(); i++) {
        error += std::fabs(predicted[i] - others.labels[i]);
    }
    EXPECT_GT(0.02, error / static_cast<double>(predicted.size()));
}

TEST(BoostedTrees, SayWhichColumnsTheyLookAt) {
    const auto importances = fitted(samples_of(400, 1)).importances();
    ASSERT_LE(2u, importances.size());
    double sum = 0.0, of_first_two = 0.0;
    for (const auto &[column, share] : importances) {
        sum += share;
        of_first_two += column < 2 ? share : 0.0;
    }
    EXPECT_NEAR(1.0, sum, 1e-6);
    EXPECT_LT(0.95, of_first_two);
}

TEST(BoostedTrees, AreTheSameForTheSameSamples) {
    const Samples samples = samples_of(100, 3);
    EXPECT_EQ(fitted(samples).save(), fitted(samples).save());
}

TEST(BoostedTrees, PredictTheSameWhenTheyWereSaved) {
    const Samples samples = samples_of(100, 3);
    const BoostedTrees trees = fitted(samples);
    BoostedTrees loaded;
    loaded.load(trees.save());
    EXPECT_EQ(trees.predict(samples.rows), loaded.predict(samples.rows));
    EXPECT_EQ(trees.save(), loaded.save());
}

// The score of a program is the sum over its rows: half of a label is in each of two equal rows.
TEST(BoostedTrees, AddUpTheRowsOfAProgram) {
    Samples samples = samples_of(200, 4);
    FeatureMatrix twice{3, {}};
    std::vector<size_t> programs;
    for (size_t i = 0; i < samples.programs.size(); i++) {
        const auto row = samples.rows.values.begin() + static_cast<std::ptrdiff_t>(3 * i);
        for (int copy = 0; copy < 2; copy++) {
            twice.values.insert(twice.values.end(), row, row + 3);
            programs.push_back(i);
        }
    }
    BoostedTrees trees;
    trees.fit(twice, programs,
              squared_error(samples.labels, std::vector<float>(samples.labels.size(), 1.0F)));
    const std::vector<float> rows = trees.predict(samples.rows);
    for (size_t i = 0; i < rows.size(); i++) {
        EXPECT_NEAR(samples.labels[i] / 2.0F, rows[i], 0.03F) << i;
    }
}

// Whose rows are all alike: a step that each would need by itself is as many times too long for the sum.
TEST(BoostedTrees, AreFittedToProgramsOfManyRows) {
    FeatureMatrix rows{1, {}};
    std::vector<size_t> programs;
    std::vector<float> labels;
    for (size_t program = 0; program < 64; program++) {
        const size_t count = 1 + program % 32;
        rows.values.insert(rows.values.end(), count, static_cast<float>(count));
        programs.insert(programs.end(), count, program);
        labels.push_back(program % 2 == 0 ? 0.25F : 0.75F);
    }
    BoostedTrees trees;
    trees.fit(rows, programs, squared_error(labels, std::vector<float>(labels.size(), 1.0F)));
    const std::vector<float> values = trees.predict(rows);
    std::vector<float> sums(labels.size(), 0.0F);
    for (size_t row = 0; row < programs.size(); row++) {
        sums[programs[row]] += values[row];
    }
    for (size_t program = 0; program < labels.size(); program++) {
        EXPECT_NEAR(labels[program], sums[program], 0.05F) << program;
    }
}

TEST(BoostedTrees, TakeRowsThatLackValues) {
    Samples samples = samples_of(200, 5);
    const float missing = std::numeric_limits<float>::quiet_NaN();
    for (size_t i = 0; i < samples.labels.size(); i++) {
        samples.rows.values[3 * i + 1] = missing;
        samples.labels[i] = samples.rows.values[3 * i] > 3.0F ? 1.0F : 0.0F;
    }
    const std::vector<float> predicted = fitted(samples).predict(samples.rows);
    for (size_t i = 0; i < predicted.size(); i++) {
        EXPECT_NEAR(samples.labels[i], predicted[i], 0.05F);
    }
}

TEST(BoostedTrees, RefuseWhatIsNotTheirs) {
    const BoostedTrees trees = fitted(samples_of(50, 6));
    EXPECT_THROW(trees.predict({2, {1.0F, 2.0F}}), Error);
    EXPECT_THROW(BoostedTrees().predict({3, {1.0F, 2.0F, 3.0F}}), Error);
    EXPECT_THROW(BoostedTrees().save(), Error);
    for (const std::string bytes : {"", "{}", "no trees", "{\"learner\":{}}"}) {
        EXPECT_THROW(BoostedTrees().load(bytes), Error) << bytes;
    }
}

}  // namespace

}  // namespace emulsion
