#include "tests/ops/window_reference.h"

#include <algorithm>

namespace emulsion {

namespace {

void count_windows(ReferenceWindow &axis, const std::string &auto_pad, bool ceil_mode) {
    const int64_t span = (axis.kernel - 1) * axis.dilation + 1;
    axis.output = 0;
    if (auto_pad.starts_with("SAME")) {
        for (int64_t start = 0; start < axis.input; start += axis.stride) {
            axis.output++;
        }
        axis.before = axis.after = 0;
        bool behind = auto_pad == "SAME_UPPER";  // side of the next element of padding
        // From the last to the first, padding is added in turns, the named side first.
        while ((axis.output - 1) * axis.stride + span > axis.before + axis.input + axis.after) {
            (behind ? axis.after : axis.before)++;
            behind = !behind;
        }
        return;
    }
    const int64_t end = axis.before + axis.input + axis.after;
    for (int64_t start = 0;; start += axis.stride) {
        if (!ceil_mode) {
            if (start + span > end) {
                return;
            }
        } else {
            // Windows follow until one reaches the end; that one is dropped where it would start
            // behind the input, and there is none where even the first would miss by a stride.
            const bool previous_reached = start > 0 && start - axis.stride + span >= end;
            const bool reaches = start + span >= end;
            if (previous_reached || (reaches && start >= axis.before + axis.input) ||
                (start == 0 && span - end >= axis.stride)) {
                return;
            }
        }
        axis.output++;
    }
}

ReferenceWindow random_axis(Random &random, bool pad) {
    ReferenceWindow axis;
    axis.input = random.integer(1, 9);
    axis.kernel = random.integer(1, 3);
    axis.stride = random.integer(1, 3);
    axis.dilation = random.flip() ? 1 : random.integer(1, 3);
    if (pad) {
        axis.before = random.integer(0, 3);
        axis.after = random.integer(0, 3);
    }
    return axis;
}

}  // namespace

RandomWindows random_windows(Random &random, bool pool) {
    for (;;) {
        RandomWindows windows;
        windows.auto_pad = random.choose<std::string>(
            {"NOTSET", "NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
        windows.ceil_mode = pool && random.flip();
        const bool pad = windows.auto_pad == "NOTSET" && random.flip();
        windows.h = random_axis(random, pad);
        windows.w = random_axis(random, pad);
        count_windows(windows.h, windows.auto_pad, windows.ceil_mode);
        count_windows(windows.w, windows.auto_pad, windows.ceil_mode);
        if (windows.h.output > 0 && windows.w.output > 0) {
            return windows;
        }
    }
}

void RandomWindows::set_attributes(OperatorCase &test, Random &random, bool pool) const {
    const auto set = [&](const std::string &key, const std::vector<int64_t> &value,
                         int64_t default_value) {
        const bool is_default =
            std::all_of(value.begin(), value.end(), [&](int64_t v) { return v == default_value; });
        if (!is_default || random.flip()) {
            test.attribute(key, value);
        }
    };
    set("strides", {h.stride, w.stride}, 1);
    set("dilations", {h.dilation, w.dilation}, 1);
    if (auto_pad == "NOTSET") {
        set("pads", {h.before, w.before, h.after, w.after}, 0);
    }
    if (auto_pad != "NOTSET" || random.flip()) {
        test.attribute("auto_pad", auto_pad);
    }
    if (pool || random.flip()) {
        test.attribute("kernel_shape", std::vector<int64_t>{h.kernel, w.kernel});
    }
    if (ceil_mode) {
        test.attribute("ceil_mode", int64_t{1});
    }
}

}  // namespace emulsion
