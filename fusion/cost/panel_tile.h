// How the threads of a workgroup compute a panel whose elements are sums.
#pragma once

#include <cstdint>

namespace emulsion {

// Columns that a thread computes as a vector, of all `columns` of a panel that `threads` threads share: no more than
// leave work for every thread.
int64_t panel_vector(int64_t columns, int64_t threads);

// Rows that a thread computes at a time, for all of which it reads a weight once: of a panel of `most` rows, at
// least `least` of them wherever it lies, that `threads` threads share. At most kMostPanelRows.
inline constexpr int64_t kMostPanelRows = 8;
int64_t panel_rows(int64_t least, int64_t most, int64_t threads);

}  // namespace emulsion
