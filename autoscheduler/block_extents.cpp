#include "autoscheduler/block_extents.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;

constexpr int64_t kMostBlocks = 256;  // along an axis

// The Funcs between the root and what it needs, the root first.
class Readers {
public:
    Readers(const Function &root, const Function &func) : func_(func.name()) {
        const std::map<std::string, Function> env = find_transitive_calls(root);
        const std::vector<std::string> order = topological_order({root}, env);
        std::set<std::string> reading{func_};
        for (const std::string &name : order) {
            const Function &f = env.at(name);
            const auto calls = find_direct_calls(f);
            const bool reads = std::any_of(calls.begin(), calls.end(), [&](const auto &callee) {
                return callee.first != name && reading.count(callee.first) != 0;
            });
            if (reads && name != func_) {
                reading.insert(name);
                readers_.insert(readers_.begin(), f);
            }
        }
    }

    // What a block of the root needs.
    Box needed(const Box &block) const {
        std::map<std::string, Box> boxes;
        if (readers_.empty()) {
            return {};
        }
        boxes[readers_.front().name()] = block;
        for (const Function &reader : readers_) {
            const auto computed = boxes.find(reader.name());
            if (computed == boxes.end()) {
                continue;
            }
            add_reads(reader, Box(computed->second), boxes);
        }
        return boxes[func_];
    }

private:
    static void add_reads(const Function &reader, const Box &computed,
                          std::map<std::string, Box> &boxes) {
        Scope<Interval> scope;
        for (size_t i = 0; i < computed.size(); i++) {
            scope.push(reader.args()[i], computed[i]);
        }
        const auto add = [&](const Halide::Expr &e, const Scope<Interval> &ranges) {
            for (const auto &[callee, box] : boxes_required(e, ranges)) {
                if (callee != reader.name()) {
                    merge_boxes(boxes[callee], box);
                }
            }
        };
        for (const Halide::Expr &value : reader.values()) {
            add(value, scope);
        }
        for (size_t i = 0; i < reader.updates().size(); i++) {
            const Definition &update = reader.update(static_cast<int>(i));
            Scope<Interval> ranges;
            ranges.set_containing_scope(&scope);
            for (const ReductionVariable &r : update.schedule().rvars()) {
                ranges.push(r.var, Interval(r.min, simplify(r.min + r.extent - 1)));
            }
            for (const Halide::Expr &value : update.values()) {
                add(value, ranges);
            }
            for (const Halide::Expr &arg : update.args()) {
                add(arg, ranges);
            }
        }
    }

    std::string func_;
    std::vector<Function> readers_;
};

Interval range_of(int64_t first, int64_t size) {
    return {static_cast<int>(first), static_cast<int>(first + size - 1)};
}

class Blocks {
public:
    Blocks(const Readers &readers, const std::vector<int64_t> &extents, const Cut &cut, size_t axis)
        : readers_(readers), extents_(extents), cut_(cut), axis_(axis) {
        for (size_t i = 0; i < cut_.block.size(); i++) {
            cut_.block[i] = std::min(cut_.block[i], extents_[i]);
        }
    }

    std::optional<ExtentRange> range() {
        std::set<size_t> moving;  // axes along which other blocks need more or less
        for (const bool last : {false, true}) {
            for (size_t along = 0; along < extents_.size(); along++) {
                std::set<int64_t> sizes;
                if (!add_sizes(along, last, sizes)) {
                    return std::nullopt;
                }
                if (sizes.size() > 1) {
                    moving.insert(along);
                }
            }
        }
        return moving.size() > 1 || found_.least < 1 ? std::nullopt : std::make_optional(found_);
    }

private:
    // The block that begins at `first` along axis `along`.
    Interval block_at(size_t along, int64_t first) const {
        const int64_t size = cut_.block[along], extent = extents_[along];
        return cut_.last_is_smaller ? range_of(first, std::min(size, extent - first))
                                    : range_of(std::min(first, extent - size), size);
    }

    // Of the blocks along one axis; along the others, the first or the last ones.
    bool add_sizes(size_t along, bool last, std::set<int64_t> &sizes) {
        Box box;
        for (size_t i = 0; i < extents_.size(); i++) {
            const int64_t blocks = ceil_div(extents_[i], cut_.block[i]);
            box.push_back(block_at(i, last ? (blocks - 1) * cut_.block[i] : 0));
        }
        if (ceil_div(extents_[along], cut_.block[along]) > kMostBlocks) {
            return false;
        }
        for (int64_t first = 0; first < extents_[along]; first += cut_.block[along]) {
            box[along] = block_at(along, first);
            const auto size = constant_size(readers_.needed(box));
            if (!size) {
                return false;
            }
            sizes.insert(*size);
            found_.least = found_.most == 0 ? *size : std::min(found_.least, *size);
            found_.most = std::max(found_.most, *size);
        }
        return true;
    }

    // Along the axis.
    std::optional<int64_t> constant_size(const Box &box) const {
        if (axis_ >= box.size() || !box[axis_].is_bounded()) {
            return std::nullopt;
        }
        return as_const_int(simplify(box[axis_].max - box[axis_].min + 1));
    }

    const Readers &readers_;
    const std::vector<int64_t> &extents_;
    Cut cut_;
    size_t axis_;
    ExtentRange found_;
};

}  // namespace

std::optional<ExtentRange> block_extents(const Halide::Func &root,
                                         const std::vector<int64_t> &extents, const Cut &cut,
                                         const Halide::Func &func, int axis) {
    if (extents.empty() ||
        std::any_of(extents.begin(), extents.end(), [](int64_t n) { return n < 1; })) {
        return std::nullopt;
    }
    const Readers readers(root.function(), func.function());
    return Blocks(readers, extents, cut, static_cast<size_t>(axis)).range();
}

}  // namespace emulsion
