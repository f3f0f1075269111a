#include "fusion/crossings.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "fusion/cache_sets.h"
#include "fusion/crossing_blocks.h"
#include "fusion/stages.h"

namespace emulsion {

namespace {

// Cache lines that a first-level cache keeps while a nest walks on to their next elements.
constexpr int64_t kNearLines = 128;

// Elements of a vector that is turned with others.
constexpr int64_t kLeastTurned = 4;

// The axis along which a value's neighbours in memory are its neighbours; -1: not known, or it has only one
// element.
int innermost(const Value &value) {
    for (auto axis = value.order.rbegin(); axis != value.order.rend(); ++axis) {
        if (value.extents[static_cast<size_t>(*axis)] > 1) {
            return *axis;
        }
    }
    return -1;
}

// Elements that lie between neighbours along an axis; 0 for none.
int64_t stride(const Value &value, int axis) {
    int64_t elements = axis < 0 ? 0 : 1;
    for (auto inner = value.order.rbegin(); inner != value.order.rend() && *inner != axis;
         ++inner) {
        elements *= value.extents[static_cast<size_t>(*inner)];
    }
    return elements;
}

class Crossings {
public:
    Crossings(const OperatorGraph &graph, const PlacedGroup &group, const std::vector<int> &stages,
              const std::vector<int> &anchors)
        : graph_(graph), group_(group), stages_(stages), anchors_(anchors), found_(anchors.size()),
          most_(anchors.size(), 0.0), axes_(group.members.size()),
          times_(group.members.size(), 0.0), gathers_(group.members.size()),
          results_(anchors.size(), 0) {
        for (size_t i = 0; i < group.members.size(); i++) {
            position_[op(i).result] = i;
        }
    }

    std::vector<Crossing> find() {
        std::vector<int> vectors(anchors_.size(), -1);  // by stage: the axis of its result
        for (size_t i = group_.members.size(); i-- > 0;) {
            const auto stage = static_cast<size_t>(stages_[i]);
            if (is_kept(group_, group_.members[i])) {
                vectors[stage] = vector_axis(i, stage);
                results_[stage] = i;
                times_[i] = 1.0;
                axes_[i].resize(result(i).extents.size());
                std::iota(axes_[i].begin(), axes_[i].end(), 0);
            }
            for (const Operand &operand : op(i).implementation.operands) {
                follow(i, operand, vectors[stage]);
            }
        }
        write(vectors.back());
        return found_;
    }

private:
    const PlannerOperator &op(size_t i) const {
        return graph_.operators[static_cast<size_t>(group_.members[i])];
    }
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const Value &result(size_t i) const { return value(op(i).result); }

    // The axis of a kept result that vectors run along.
    int vector_axis(size_t i, size_t stage) const {
        const auto anchor = static_cast<size_t>(anchors_[stage]);
        const int wanted = graph_.operators[anchor].implementation.innermost_axis;
        return wanted >= 0 ? wanted : innermost(result(i));
    }

    // What member `i` reads: the axes of another member, or a tensor from outside.
    void follow(size_t i, const Operand &operand, int vectors) {
        std::vector<int> axes;  // of the operand, as axes of the stage's result
        for (const AxisReach &reach : operand.footprint.axes) {
            const bool moves = !reach.whole && reach.axis >= 0 &&
                               static_cast<size_t>(reach.axis) < axes_[i].size();
            axes.push_back(moves ? axes_[i][static_cast<size_t>(reach.axis)] : -1);
        }
        const bool gathers = gathers_[i] || is_gathered(i, operand, vectors);
        if (const auto inside = position_.find(operand.value);
            inside != position_.end() && !is_kept(group_, group_.members[inside->second])) {
            gathers_[inside->second] = gathers_[inside->second] || gathers;
            axes_[inside->second] = std::move(axes);
            times_[inside->second] +=
                times_[i] * operand.reads / std::max(1.0, elements(operand.value));
            return;
        }
        const int lies = innermost(value(operand.value));
        if (value(operand.value).role == ValueRole::Constant || lies < 0 || vectors < 0 ||
            static_cast<size_t>(lies) >= axes.size()) {
            return;
        }
        const auto stage = static_cast<size_t>(stages_[i]);
        if (gathers) {
            found_[stage].elements += times_[i] * operand.reads;
            return;
        }
        const auto read = std::find(axes.begin(), axes.end(), vectors) - axes.begin();
        const bool in_vectors = static_cast<size_t>(read) < axes.size();
        const int wanted = operand.innermost_axis >= 0 ? operand.innermost_axis
                           : in_vectors                ? static_cast<int>(read)
                                                       : lies;
        if (wanted != lies && value(operand.value).extents[static_cast<size_t>(wanted)] > 1) {
            // Rows of another axis than the result's vectors (a product's other operand) are read once more, to
            // be copied to where they lie well.
            const int along = axes[static_cast<size_t>(lies)];
            const bool far = apart(operand, i, along) > near_lines(operand.value, wanted);
            const bool turns = in_vectors && can_turn(result(results_[stage]), along, vectors);
            add(stage,
                {.elements = in_vectors ? times_[i] * operand.reads : elements(operand.value),
                 .axis = along,
                 .far = far,
                 .turns = turns});
        }
    }

    // Whether vectors of what member `i` computes take elements from anywhere along an axis of the operand.
    bool is_gathered(size_t i, const Operand &operand, int vectors) const {
        const std::vector<AxisReach> &axes = operand.footprint.axes;
        return std::any_of(axes.begin(), axes.end(), [&](const AxisReach &reach) {
            const auto along = static_cast<size_t>(reach.gathered_along);
            return reach.gathered_along >= 0 && along < axes_[i].size() &&
                   axes_[i][along] == vectors;
        });
    }

    // Elements of its stage's result that the nest of member `i` walks over until it asks for the next one in a cache
    // line of an operand, whose neighbours in memory are those of `axis` of that result. Where they are of no axis, and
    // the element itself doesn't read them, whoever does may be anywhere.
    int64_t apart(const Operand &operand, size_t i, int axis) const {
        const Value &kept = result(results_[static_cast<size_t>(stages_[i])]);
        const bool one_by_one = operand.reads <= elements(op(i).result);
        return axis < 0 && one_by_one ? element_count(kept.extents) : stride(kept, axis);
    }

    // Whether blocks of these axes of a result are whole enough to be turned. Nests walk rows `across` together with those
    // of the axes outside of it.
    static bool can_turn(const Value &result, int across, int vectors) {
        const auto elements = [&](int axis) { return result.extents[static_cast<size_t>(axis)]; };
        if (across < 0 || across == vectors || elements(vectors) < kLeastTurned) {
            return false;
        }
        int64_t rows = 1;
        for (const int axis : result.order) {
            rows = axis == vectors ? 1 : rows * elements(axis);
            if (axis == across) {
                break;
            }
        }
        return are_about_whole_blocks(rows);
    }

    void write(int vectors) {
        const int v = op(group_.members.size() - 1).result;
        const int lies = innermost(value(v));
        if (lies >= 0 && vectors >= 0 && lies != vectors &&
            value(v).extents[static_cast<size_t>(vectors)] > 1) {
            const bool far =
                value(v).extents[static_cast<size_t>(vectors)] > near_lines(v, vectors);
            add(found_.size() - 1, {.elements = elements(v), .axis = lies, .far = far});
        }
    }

    // Lines of a value, one step along `axis` after the other, that stay near until their next elements are asked for.
    int64_t near_lines(int v, int axis) const {
        const int64_t apart = stride(value(v), axis) * value(v).element_bytes;
        return std::min(kNearLines, places_of(apart) * kSetLines);
    }

    double elements(int v) const { return static_cast<double>(element_count(value(v).extents)); }

    // A stage's is that of most elements, with the elements of all.
    void add(size_t stage, Crossing crossing) {
        const double all = found_[stage].elements + crossing.elements;
        if (crossing.elements > most_[stage]) {
            most_[stage] = crossing.elements;
            found_[stage] = crossing;
        }
        found_[stage].elements = all;
    }

    const OperatorGraph &graph_;
    const PlacedGroup &group_;
    const std::vector<int> &stages_, &anchors_;
    std::vector<Crossing> found_;  // by stage
    std::vector<double> most_;     // by stage: of one tensor
    // By position: of the member, as axes of its stage's result.
    std::vector<std::vector<int>> axes_;
    std::vector<double> times_;    // by position: how often its result is computed
    std::vector<bool> gathers_;    // by position: whether vectors take its elements from anywhere
    std::vector<size_t> results_;  // by stage: position of the member that it ends in
    std::map<int, size_t> position_;  // by value
};

}  // namespace

bool computes_blocks(const Crossing &crossing, const NestSpace &nest,
                     const GroupPlacement &placement, bool is_root) {
    const bool has_panels = is_root && !placement.panels.empty();
    return (crossing.far || crossing.turns) && crossing.axis >= 0 &&
           !nest.crossing_parameter.empty() && !has_panels;
}

std::vector<Crossing> crossings_of(const OperatorGraph &graph, const PlacedGroup &group,
                                   const std::vector<int> &stages,
                                   const std::vector<int> &anchors) {
    return Crossings(graph, group, stages, anchors).find();
}

}  // namespace emulsion
