#include "bench/huge_memory.h"

#include <cassert>
#include <cerrno>
#include <memory>

#include <fmt/format.h>
#include <sys/mman.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

HugeMemory::HugeMemory(int64_t bytes) {
    const auto wanted = static_cast<size_t>(bytes);
    mapped_bytes_ = (wanted / kHugePage + 2) * kHugePage;  // to begin where a page does
    mapped_ =
        mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED) {
        throw failure(
            fmt::format("no memory of {} bytes is to be had (error {})", mapped_bytes_, errno));
    }
    void *start = mapped_;
    size_t room = mapped_bytes_;
    next_ = static_cast<std::byte *>(std::align(kHugePage, wanted, start, room));
    end_ = next_ + room;
    madvise(next_, room / kHugePage * kHugePage, MADV_HUGEPAGE);
}

HugeMemory::~HugeMemory() { munmap(mapped_, mapped_bytes_); }

std::byte *HugeMemory::take(int64_t bytes) {
    std::byte *taken_from = next_;
    next_ += taken(bytes);
    assert(next_ <= end_);
    return taken_from;
}

}  // namespace emulsion
