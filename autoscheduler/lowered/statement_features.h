// Features of lowered code, by statement: what Ansor's cost model learns from (L. Zheng et al., OSDI 2020, section 5.2 and
// appendix B).
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

namespace emulsion {

// Rises where equal code gets other features.
constexpr int kStatementFeaturesVersion = 1;

// 164 names: operations, vectors, unrolling and parallel loops, the five buffers with the most cache lines, arithmetic
// intensity, allocation, loops around.
const std::vector<std::string> &statement_feature_names();

// One row for every statement, in the order of the code; magnitudes as logarithms to base 2 (of 1 more).
std::vector<std::vector<float>> statement_features(const Halide::Internal::Stmt &statement);

}  // namespace emulsion
