// Which axis of a reduction plays which part: the one that vectors run along, those that register
// blocks extend over, the rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autoscheduler/templates/template.h"

namespace emulsion {

struct ReductionRoles {
    const FuncFacts *reduction = nullptr;
    std::string data;     // the tensor that is walked (or the only one)
    std::string weights;  // the tensor that has the columns; empty if there is no such
    // Of the data's elements, as they are read; sums have the reduction's type.
    ElementType operand;
    int column_axis = -1;  // axis of the result
    // So many columns in a row read the same data, as those of one group of a convolution do; 0: all of them.
    int64_t group_columns = 0;
    // From what is read for one column to what is read for the next: vectors are dense where it is 1.
    int64_t column_stride = 1;
    int width_axis = -1, height_axis = -1;
    std::vector<int> outer_axes;
    bool windowed = false;  // the reduction walks a window of the data
    // Whether the windows of neighbours along the width read elements of each other.
    bool windows_overlap = true;
    int64_t channels = 1;        // product of the reduction extents that are no taps
    int64_t taps = 1;            // product of the extents of the window
    int64_t inner_channels = 1;  // extent of the first reduction loop that is no tap
    // Of its steps, the share that is taken (live_share). Where some are not, rows differ.
    double live = 1.0;

    int64_t reduction_size() const { return channels * taps; }
};

// Roles of a product of two tensors summed over at least one variable, where one tensor (the
// weights) has an axis of the result that the other lacks: convolution, matrix product.
std::optional<ReductionRoles> contraction_roles(const NestSubject &subject);

// Roles of a reduction without such columns: every element of the result along some axis is computed
// alike from its own data: depthwise convolution, pooling, sums over axes.
std::optional<ReductionRoles> lanewise_roles(const NestSubject &subject);

int64_t extent_of(const NestSubject &subject, int axis);

}  // namespace emulsion
