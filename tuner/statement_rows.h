// Features of the lowered code of a point, by statement: what takes a tenth of a second to find, a thousand times as long as those of the
// point itself (tuner/features.h).
#pragma once

#include <string>
#include <vector>

namespace emulsion {

// A row for every statement, all equally long; none where the code is not known.
using StatementRows = std::vector<std::vector<float>>;

// As text, in thousandths: rows have many zeros, which are left out. And back, which throws Error for what is no such text.
std::string to_text(const StatementRows &rows);
StatementRows statement_rows_from(const std::string &text);

}  // namespace emulsion
