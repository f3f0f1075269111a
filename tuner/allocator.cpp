#include "tuner/allocator.h"

#include "fusion/find_kind.h"

namespace emulsion {

const AllocatorKind &find_allocator(const std::string &name) {
    return find_kind(all_allocators(), name, "allocator of trials");
}

}  // namespace emulsion
