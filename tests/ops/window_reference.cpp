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
        bool fits = true;
        for (int64_t i = random.choose<int64_t>({1, 2, 2, 3}); i > 0; i--) {
            windows.axes.push_back(random_axis(random, pad));
            count_windows(windows.axes.back(), windows.auto_pad, windows.ceil_mode);
            fits = fits && windows.axes.back().output > 0;
        }
        if (fits) {
            return windows;
        }
    }
}

std::vector<int64_t> RandomWindows::all(int64_t ReferenceWindow::*member) const {
    std::vector<int64_t> values;
    for (const ReferenceWindow &axis : axes) {
        values.push_back(axis.*member);
    }
    return values;
}

std::vector<int64_t> RandomWindows::input_shape(int64_t batch, int64_t channels) const {
    return joined({batch, channels}, all(&ReferenceWindow::input));
}

std::vector<int64_t> RandomWindows::output_shape(int64_t batch, int64_t channels) const {
    return joined({batch, channels}, all(&ReferenceWindow::output));
}

std::vector<int64_t> RandomWindows::positions(const std::vector<int64_t> &window,
                                              const std::vector<int64_t> &tap) const {
    std::vector<int64_t> result;
    for (size_t i = 0; i < axes.size(); i++) {
        result.push_back(axes[i].position(window[i], tap[i]));
    }
    return result;
}

bool RandomWindows::inside(const std::vector<int64_t> &positions) const {
    bool result = true;
    for (size_t i = 0; i < axes.size(); i++) {
        result = result && axes[i].inside(positions[i]);
    }
    return result;
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
    set("strides", all(&ReferenceWindow::stride), 1);
    set("dilations", all(&ReferenceWindow::dilation), 1);
    if (auto_pad == "NOTSET") {
        set("pads", joined(all(&ReferenceWindow::before), all(&ReferenceWindow::after)), 0);
    }
    if (auto_pad != "NOTSET" || random.flip()) {
        test.attribute("auto_pad", auto_pad);
    }
    if (pool || random.flip()) {
        test.attribute("kernel_shape", all(&ReferenceWindow::kernel));
    }
    if (ceil_mode) {
        test.attribute("ceil_mode", int64_t{1});
    }
}

std::vector<int64_t> from_axis(const std::vector<int64_t> &at, size_t first) {
    return {at.begin() + static_cast<ptrdiff_t>(first), at.end()};
}

std::vector<int64_t> joined(std::vector<int64_t> a, const std::vector<int64_t> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace emulsion
