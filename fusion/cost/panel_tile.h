// How the threads of a workgroup compute a panel whose elements are sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulsion {

// Columns that a thread computes as a vector, of all `columns` of a panel that `threads` threads share: no more than
// leave work for every thread.
int64_t panel_vector(int64_t columns, int64_t threads);

// Rows that a thread computes at a time, for all of which it reads a weight once: of a panel of `most` rows, at
// least `least` of them wherever it lies, that `threads` threads share. At most kMostPanelRows.
inline constexpr int64_t kMostPanelRows = 8;
int64_t panel_rows(int64_t least, int64_t most, int64_t threads);

// Into how many parts the sums of a panel of `elements` are cut, because it has fewer of them than its workgroup has
// `threads`: a power of two; `steps` of a sum may be shared (ImplementationChoice::shared_steps). 1: they aren't cut.
int64_t panel_parts(int64_t elements, int64_t threads, int64_t steps);

// The axes of a result of `rank` axes in the order in which threads are dealt out to them: the columns', then the
// others', as memory usually has them. A result need not have an axis of columns: `column_axis` may be none of its.
std::vector<int> thread_axes(int column_axis, size_t rank);

}  // namespace emulsion
