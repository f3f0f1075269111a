// Independent work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace emulsion {

// Calls work(i) for every i below `count`, on up to `jobs` threads, of which the caller's is one. All are called, whatever others throw; when
// they are done, what the first of them in order has thrown is thrown.
void in_parallel(size_t count, int jobs, const std::function<void(size_t)> &work);

// Cores that this process may use, at least 1.
int available_cores();

}  // namespace emulsion
