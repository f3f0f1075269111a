#include "backend/box_copy.h"

#include <algorithm>
#include <cstring>

namespace emulsion {

namespace {

// Edge of the blocks of a transposition: two cache lines of floats.
constexpr int64_t kBlock = 32;

// Drops dimensions of one element and merges neighbours that lie densely in each other on both sides.
std::vector<BoxDimension> simplified(std::vector<BoxDimension> box) {
    std::erase_if(box, [](const BoxDimension &d) { return d.extent == 1; });
    std::sort(box.begin(), box.end(), [](const BoxDimension &a, const BoxDimension &b) {
        return a.to_stride > b.to_stride;
    });
    std::vector<BoxDimension> merged;
    for (const BoxDimension &d : box) {
        if (!merged.empty() && merged.back().from_stride == d.extent * d.from_stride &&
            merged.back().to_stride == d.extent * d.to_stride) {
            merged.back() = {merged.back().extent * d.extent, d.from_stride, d.to_stride};
        } else {
            merged.push_back(d);
        }
    }
    return merged;
}

template<typename T>
class Copier {
public:
    explicit Copier(std::vector<BoxDimension> box) : outer_(std::move(box)) {
        if (!outer_.empty()) {
            inner_ = outer_.back();
            outer_.pop_back();
        }
        // Reading along the rows of `from` at the same time: the dimension where it is densest.
        const auto densest = std::min_element(outer_.begin(), outer_.end(),
                                              [](const BoxDimension &a, const BoxDimension &b) {
                                                  return a.from_stride < b.from_stride;
                                              });
        if (densest != outer_.end() && densest->from_stride < inner_.from_stride) {
            across_ = *densest;
            outer_.erase(densest);
        }
    }

    void run(const T *from, T *to) const { copy(0, from, to); }

private:
    void copy(size_t d, const T *from, T *to) const {
        if (d == outer_.size()) {
            return across_.extent > 1 ? transpose(from, to) : copy_row(inner_.extent, from, to);
        }
        for (int64_t i = 0; i < outer_[d].extent; i++) {
            copy(d + 1, from + i * outer_[d].from_stride, to + i * outer_[d].to_stride);
        }
    }

    void copy_row(int64_t count, const T *from, T *to) const {
        if (inner_.from_stride == 1 && inner_.to_stride == 1) {
            std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
            return;
        }
        for (int64_t i = 0; i < count; i++) {
            to[i * inner_.to_stride] = from[i * inner_.from_stride];
        }
    }

    void transpose(const T *from, T *to) const {
        for (int64_t a = 0; a < across_.extent; a += kBlock) {
            const int64_t a_end = std::min(a + kBlock, across_.extent);
            for (int64_t i = 0; i < inner_.extent; i += kBlock) {
                const int64_t count = std::min(kBlock, inner_.extent - i);
                for (int64_t row = a; row < a_end; row++) {
                    copy_row(count, from + row * across_.from_stride + i * inner_.from_stride,
                             to + row * across_.to_stride + i * inner_.to_stride);
                }
            }
        }
    }

    std::vector<BoxDimension> outer_;
    BoxDimension across_;
    BoxDimension inner_;
};

template<typename T>
void copy_as(std::vector<BoxDimension> box, const std::byte *from, std::byte *to) {
    Copier<T>(std::move(box)).run(reinterpret_cast<const T *>(from), reinterpret_cast<T *>(to));
}

}  // namespace

void copy_box(std::vector<BoxDimension> box, int element_bytes, const std::byte *from,
              std::byte *to) {
    for (const BoxDimension &d : box) {
        if (d.extent == 0) {
            return;
        }
    }
    box = simplified(std::move(box));
    switch (element_bytes) {
    case 1: return copy_as<uint8_t>(std::move(box), from, to);
    case 2: return copy_as<uint16_t>(std::move(box), from, to);
    case 4: return copy_as<uint32_t>(std::move(box), from, to);
    default: return copy_as<uint64_t>(std::move(box), from, to);
    }
}

}  // namespace emulsion
