#include "tuner/boosted_trees.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include <xgboost/c_api.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

void check(int code) {
    if (code != 0) {
        throw failure(std::string("XGBoost: ") + XGBGetLastError());
    }
}

class Rows {
public:
    explicit Rows(const FeatureMatrix &rows) {
        check(XGDMatrixCreateFromMat(rows.values.data(), rows.rows(), rows.columns,
                                     std::numeric_limits<float>::quiet_NaN(), &handle_));
    }
    ~Rows() { XGDMatrixFree(handle_); }
    Rows(const Rows &) = delete;
    Rows &operator=(const Rows &) = delete;
    DMatrixHandle handle() const { return handle_; }

private:
    DMatrixHandle handle_ = nullptr;
};

}  // namespace

struct BoostedTrees::Booster {
    explicit Booster(const DMatrixHandle *rows) {
        check(XGBoosterCreate(rows, rows != nullptr ? 1 : 0, &handle));
    }
    ~Booster() { XGBoosterFree(handle); }
    Booster(const Booster &) = delete;
    Booster &operator=(const Booster &) = delete;

    void set(const char *name, const std::string &value) {
        check(XGBoosterSetParam(handle, name, value.c_str()));
    }

    void set_up(const TreeOptions &options) {
        set("nthread", "1");
        set("seed", "0");
        set("verbosity", "0");
        set("base_score", "0");
        set("objective", "reg:squarederror");
        set("tree_method", "hist");
        set("max_depth", std::to_string(options.depth));
        set("eta", std::to_string(options.shrinkage));
        set("gamma", std::to_string(options.least_gain));
        set("min_child_weight", std::to_string(options.least_weight));
    }

    // Sums of all trees, of every row.
    std::span<const float> predict(DMatrixHandle rows, bool training) const {
        constexpr int kMargins = 1;
        bst_ulong count = 0;
        const float *values = nullptr;
        check(XGBoosterPredict(handle, rows, kMargins, 0, training ? 1 : 0, &count, &values));
        return {values, count};
    }

    BoosterHandle handle = nullptr;
};

BoostedTrees::BoostedTrees() = default;
BoostedTrees::~BoostedTrees() = default;
BoostedTrees::BoostedTrees(BoostedTrees &&) noexcept = default;
BoostedTrees &BoostedTrees::operator=(BoostedTrees &&) noexcept = default;

bool BoostedTrees::is_fitted() const { return booster_ != nullptr; }

void BoostedTrees::fit(const FeatureMatrix &rows, const std::vector<size_t> &program,
                       const LossFunction &loss, const TreeOptions &options) {
    assert(program.size() == rows.rows() && rows.rows() > 0);
    const Rows matrix(rows);
    const DMatrixHandle handle = matrix.handle();
    booster_ = std::make_unique<Booster>(&handle);
    booster_->set_up(options);
    columns_ = rows.columns;
    // A program's rows move together: as if each moved alone, a step would be as many times too long as there are (the square of a sum
    // of n is at most n times the sum of squares).
    std::vector<float> statements(program.back() + 1);
    for (const size_t each : program) {
        statements[each]++;
    }
    double least = std::numeric_limits<double>::infinity();
    std::vector<float> scores(program.back() + 1), gradients(program.size()),
        hessians(program.size());
    for (int round = 0, since = 0; round <= options.rounds && since < options.patience; round++) {
        const std::span<const float> values = booster_->predict(handle, true);
        std::fill(scores.begin(), scores.end(), 0.0F);
        for (size_t row = 0; row < program.size(); row++) {
            scores[program[row]] += values[row];
        }
        const Loss now = loss(scores);
        constexpr double kProgress = 1e-4;
        since = now.value < least * (1.0 - kProgress) ? 0 : since + 1;
        least = std::min(least, now.value);
        if (round == options.rounds) {
            break;
        }
        for (size_t row = 0; row < program.size(); row++) {
            gradients[row] = now.gradients[program[row]];
            hessians[row] = statements[program[row]] * now.hessians[program[row]];
        }
        check(XGBoosterBoostOneIter(booster_->handle, handle, gradients.data(), hessians.data(),
                                    gradients.size()));
    }
}

std::vector<float> BoostedTrees::predict(const FeatureMatrix &rows) const {
    if (!is_fitted() || rows.columns != columns_) {
        throw Error("the trees are of " + std::to_string(columns_) + " columns, the rows of " +
                    std::to_string(rows.columns));
    }
    if (rows.rows() == 0) {
        return {};
    }
    const Rows matrix(rows);
    const std::span<const float> values = booster_->predict(matrix.handle(), false);
    return {values.begin(), values.end()};
}

std::vector<std::pair<size_t, double>> BoostedTrees::importances() const {
    std::vector<std::pair<size_t, double>> all;
    if (!is_fitted()) {
        return all;
    }
    bst_ulong count = 0, dimensions = 0;
    const char **names = nullptr;
    const bst_ulong *shape = nullptr;
    const float *gains = nullptr;
    check(XGBoosterFeatureScore(booster_->handle, R"({"importance_type": "total_gain"})", &count,
                                &names, &dimensions, &shape, &gains));
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        // Columns without names are called "f0", "f1", ...
        all.emplace_back(std::stoul(names[i] + 1), gains[i]);
        sum += gains[i];
    }
    for (auto &[column, gain] : all) {
        gain /= sum > 0.0 ? sum : 1.0;
    }
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return all;
}

std::string BoostedTrees::save() const {
    if (!is_fitted()) {
        throw Error("the trees are not fitted");
    }
    bst_ulong size = 0;
    const char *bytes = nullptr;
    check(XGBoosterSaveModelToBuffer(booster_->handle, R"({"format": "json"})", &size, &bytes));
    return {bytes, size};
}

void BoostedTrees::load(const std::string &bytes) {
    auto booster = std::make_unique<Booster>(nullptr);
    if (XGBoosterLoadModelFromBuffer(booster->handle, bytes.data(), bytes.size()) != 0) {
        throw Error("the trees are damaged");
    }
    booster->set("nthread", "1");
    bst_ulong columns = 0;
    check(XGBoosterGetNumFeature(booster->handle, &columns));
    columns_ = columns;
    booster_ = std::move(booster);
}

}  // namespace emulsion
