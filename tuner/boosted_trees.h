// Gradient-boosted regression trees: XGBoost (T. Chen, C. Guestrin, KDD 2016) through its C interface, with loss functions of
// ours. One thread, no randomness: equal arguments give equal trees.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace emulsion {

// Rows of equally many columns, one row after the other; NaN where a value is missing.
struct FeatureMatrix {
    size_t columns = 0;
    std::vector<float> values;

    size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

// A loss and its first two derivatives, by program: programs have a row or several (of their statements), and a program's
// score is the sum of what the trees say of its rows.
struct Loss {
    double value = 0.0;  // of all programs; falls as the trees become better
    std::vector<float> gradients, hessians;
};
using LossFunction = std::function<Loss(std::span<const float> scores)>;

// As Ansor's (its code): 0.2 is eta, 0.001 gamma.
struct TreeOptions {
    int rounds = 300;   // trees, at most
    int patience = 50;  // ... without any progress of the loss
    int depth = 10;     // of a tree
    double shrinkage = 0.2;
    double least_gain = 0.001;  // of a split
    double least_weight = 0.0;  // of a leaf: the sum of its second derivatives
};

class BoostedTrees {
public:
    BoostedTrees();
    ~BoostedTrees();
    BoostedTrees(BoostedTrees &&) noexcept;
    BoostedTrees &operator=(BoostedTrees &&) noexcept;

    // Fits the trees anew. `program` says of every row which program it is of, ascending from 0. Throws Error where
    // XGBoost fails.
    void fit(const FeatureMatrix &rows, const std::vector<size_t> &program,
             const LossFunction &loss, const TreeOptions &options = {});
    bool is_fitted() const;
    // What the trees say of every row; of programs of one row, their scores. Throws Error for another number of columns.
    std::vector<float> predict(const FeatureMatrix &rows) const;
    // How much splits by each column have won, of all of them together; columns without any are left out. The greatest
    // first.
    std::vector<std::pair<size_t, double>> importances() const;

    // The same bytes for equal trees; and back, which throws Error for what is no model.
    std::string save() const;
    void load(const std::string &bytes);

private:
    struct Booster;
    std::unique_ptr<Booster> booster_;
    size_t columns_ = 0;
};

}  // namespace emulsion
