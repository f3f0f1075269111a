#include "runtime/halo.h"

#include <cstring>

namespace emulsion::runtime {

namespace {

constexpr int kMaxDimensions = 16;

// The dimensions from the largest stride to the smallest; neighbours without a margin that lie
// densely in each other are merged, so that the innermost one is as long as it can be.
struct Region {
    int rank = 0;
    int64_t extent[kMaxDimensions];
    int64_t stride[kMaxDimensions];  // bytes
    int64_t before[kMaxDimensions];
    int64_t after[kMaxDimensions];
    int element_bytes;
    uint64_t pattern;
};

template<typename T>
void fill_elements(char *data, int64_t count, int64_t stride, uint64_t pattern) {
    const T value = static_cast<T>(pattern);
    if (stride == sizeof(T)) {
        T *out = reinterpret_cast<T *>(data);
        for (int64_t i = 0; i < count; i++) {
            out[i] = value;
        }
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        *reinterpret_cast<T *>(data + i * stride) = value;
    }
}

void fill_row(const Region &r, char *data, int64_t count, int64_t stride) {
    switch (r.element_bytes) {
    case 1: return fill_elements<uint8_t>(data, count, stride, r.pattern);
    case 2: return fill_elements<uint16_t>(data, count, stride, r.pattern);
    case 4: return fill_elements<uint32_t>(data, count, stride, r.pattern);
    default: return fill_elements<uint64_t>(data, count, stride, r.pattern);
    }
}

// Everything below dimension d, starting with elements first .. first+count-1 of d.
void fill_all(const Region &r, int d, char *data, int64_t first, int64_t count) {
    data += first * r.stride[d];
    if (d == r.rank - 1) {
        return fill_row(r, data, count, r.stride[d]);
    }
    for (int64_t i = 0; i < count; i++) {
        fill_all(r, d + 1, data + i * r.stride[d], 0, r.extent[d + 1]);
    }
}

// The margins of d in full; between them, the margins of the dimensions below.
void fill_margins(const Region &r, int d, char *data) {
    if (r.before[d] > 0) {
        fill_all(r, d, data, 0, r.before[d]);
    }
    if (r.after[d] > 0) {
        fill_all(r, d, data, r.extent[d] - r.after[d], r.after[d]);
    }
    bool more = false;
    for (int i = d + 1; i < r.rank; i++) {
        more = more || r.before[i] > 0 || r.after[i] > 0;
    }
    if (!more) {
        return;
    }
    for (int64_t i = r.before[d]; i < r.extent[d] - r.after[d]; i++) {
        fill_margins(r, d + 1, data + i * r.stride[d]);
    }
}

void insert(Region &r, int64_t extent, int64_t stride, int64_t before, int64_t after) {
    int at = r.rank++;
    for (; at > 0 && r.stride[at - 1] < stride; at--) {
        r.extent[at] = r.extent[at - 1];
        r.stride[at] = r.stride[at - 1];
        r.before[at] = r.before[at - 1];
        r.after[at] = r.after[at - 1];
    }
    r.extent[at] = extent;
    r.stride[at] = stride;
    r.before[at] = before;
    r.after[at] = after;
}

// A dimension without margin inside one that has one: its margin is then counted in elements of the
// inner one (rows of pixels with channels innermost become single rows).
void merge(Region &r) {
    for (int d = r.rank - 1; d > 0; d--) {
        if (r.before[d] > 0 || r.after[d] > 0 || r.stride[d - 1] != r.extent[d] * r.stride[d]) {
            continue;
        }
        r.before[d - 1] *= r.extent[d];
        r.after[d - 1] *= r.extent[d];
        r.extent[d - 1] *= r.extent[d];
        r.stride[d - 1] = r.stride[d];
        for (int i = d; i + 1 < r.rank; i++) {
            r.extent[i] = r.extent[i + 1];
            r.stride[i] = r.stride[i + 1];
            r.before[i] = r.before[i + 1];
            r.after[i] = r.after[i + 1];
        }
        r.rank--;
    }
}

}  // namespace

void fill_halo(const HaloBuffer &buffer, const int64_t *before, const int64_t *after,
               uint64_t pattern) {
    Region r;
    r.element_bytes = buffer.element_bytes;
    r.pattern = pattern;
    for (int i = 0; i < buffer.dimension_count && i < kMaxDimensions; i++) {
        const EmulsionDimension &d = buffer.dimensions[i];
        if (d.extent != 1 || before[i] > 0 || after[i] > 0) {
            insert(r, d.extent, int64_t{d.stride} * buffer.element_bytes, before[i], after[i]);
        }
    }
    merge(r);
    if (r.rank > 0) {
        fill_margins(r, 0, buffer.data);
    }
}

void fill_halo(const EmulsionView &view, const EmulsionFill &fill, char *data) {
    fill_halo({data, view.element_bytes, view.dimension_count, view.dimensions}, fill.before,
              fill.after, fill.pattern);
}

}  // namespace emulsion::runtime
