#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "fusion/error.h"
#include "tests/tuner/toy_programs.h"
#include "tuner/code_model.h"
#include "tuner/code_model_file.h"

namespace emulsion {

namespace {

CodeSamples samples_of(const std::vector<CodeFeatures> &programs,
                       const std::vector<float> &scores) {
    CodeSamples samples;
    for (const CodeFeatures &program : programs) {
        samples.programs.push_back(&program);
    }
    samples.scores = scores;
    return samples;
}

// The share of pairs in the wrong order.
double wrong_pairs(const std::vector<double> &predicted, const std::vector<float> &scores) {
    double wrong = 0.0, pairs = 0.0;
    for (size_t i = 0; i < scores.size(); i++) {
        for (size_t j = 0; j < i; j++) {
            const double order = (predicted[i] - predicted[j]) * (scores[i] - scores[j]);
            wrong += order < 0.0 ? 1.0 : 0.0;
            pairs += 1.0;
        }
    }
    return wrong / pairs;
}

class CodeModels : public testing::Test {
protected:
    const std::vector<CodeFeatures> learned_ = toy_programs(300, 1), others_ = toy_programs(100, 2);
    const CodeSamples samples_ = samples_of(learned_, toy_scores(learned_)),
                      unseen_ = samples_of(others_, toy_scores(others_));

    std::unique_ptr<CodeModel> fitted(const std::string &kind) const {
        auto model = find_code_model(kind).make(1);
        model->fit({samples_});
        return model;
    }
};

TEST_F(CodeModels, RankProgramsThatTheyHaveNotSeen) {
    for (const CodeModelKind *kind : all_code_models()) {
        EXPECT_GT(0.4, wrong_pairs(fitted(kind->name)->scores(unseen_.programs), unseen_.scores))
            << kind->name;
    }
}

TEST_F(CodeModels, OfGraphsKnowWhatNodesByThemselvesDoNotTell) {
    const double with = wrong_pairs(fitted("graph")->scores(unseen_.programs), unseen_.scores);
    const double without =
        wrong_pairs(fitted("perceptron")->scores(unseen_.programs), unseen_.scores);
    EXPECT_LT(1.5 * with, without);
    EXPECT_GT(0.15, with);
}

TEST_F(CodeModels, OfGraphsHaveAsManyParametersAsThoseOfNodes) {
    std::vector<double> counts;
    for (const char *name : {"graph", "perceptron"}) {
        const auto json = nlohmann::json::parse(fitted(name)->save());
        size_t count = 0;
        for (const auto &parameter : json.at("parameters")) {
            count += parameter.at("values").size();
        }
        counts.push_back(static_cast<double>(count));
    }
    // Toy nodes have fewer numbers than those of code, for which it is 1.1 %.
    EXPECT_NEAR(1.0, counts[0] / counts[1], 0.05);
}

TEST_F(CodeModels, LearnTheSameFromTheSame) {
    for (const CodeModelKind *kind : all_code_models()) {
        EXPECT_EQ(fitted(kind->name)->save(), fitted(kind->name)->save()) << kind->name;
    }
}

TEST_F(CodeModels, AskNothingButTheOrderWithinATask) {
    // The second task's scores are half as high; who learns differences learns the same.
    CodeSamples lower = unseen_;
    for (float &score : lower.scores) {
        score /= 2.0F;
    }
    for (const char *name : {"graph", "perceptron"}) {
        const auto model = find_code_model(name).make(1), other = find_code_model(name).make(1);
        model->fit({samples_, unseen_});
        other->fit({samples_, lower});
        const std::vector<double> a = model->scores(unseen_.programs),
                                  b = other->scores(unseen_.programs);
        EXPECT_GT(0.1, wrong_pairs(a, std::vector<float>(b.begin(), b.end()))) << name;
    }
}

TEST_F(CodeModels, ArePutAwayAndTakenUpAgain) {
    const CodeFeatureVersions versions{1, 2};
    for (const CodeModelKind *kind : all_code_models()) {
        const auto model = fitted(kind->name);
        const std::string text = to_text(kind->name, *model, versions);
        const TrainedCodeModel loaded = code_model_from(text, "m.json", versions);
        EXPECT_EQ(kind->name, loaded.kind);
        EXPECT_EQ(model->scores(unseen_.programs), loaded.model->scores(unseen_.programs))
            << kind->name;
        EXPECT_EQ(text, to_text(kind->name, *loaded.model, versions)) << kind->name;
        for (const std::string &damaged :
             {std::string(), std::string("{}"), text.substr(0, text.size() / 2)}) {
            EXPECT_THROW(code_model_from(damaged, "m.json", versions), Error) << kind->name;
            EXPECT_THROW(kind->make(1)->load(damaged), Error) << kind->name;
        }
        EXPECT_THROW(code_model_from(text, "m.json", {1, 3}), Error) << "of other features";
    }
}

TEST_F(CodeModels, TakeFewPrograms) {
    const std::vector<CodeFeatures> few = toy_programs(2, 3);
    for (const CodeModelKind *kind : all_code_models()) {
        const auto model = kind->make(1);
        model->fit({samples_of(few, {1.0F, 0.0F})});
        const std::vector<double> scores = model->scores({&few[0], &few[1]});
        ASSERT_EQ(2u, scores.size());
        EXPECT_TRUE(std::isfinite(scores[0]) && std::isfinite(scores[1])) << kind->name;
        EXPECT_TRUE(model->scores({}).empty());
    }
}

TEST(CodeModelKinds, AreNamedWhereOneIsUnknown) {
    try {
        find_code_model("forest");
        FAIL();
    } catch (const Error &error) {
        EXPECT_STREQ("unknown model of code 'forest'; known are graph, perceptron, statements",
                     error.what());
    }
}

}  // namespace

}  // namespace emulsion
