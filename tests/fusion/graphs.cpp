#include "tests/fusion/graphs.h"

#include <algorithm>
#include <random>

#include "fusion/layout.h"
#include "fusion/legality.h"

namespace emulsion::test {

namespace {

constexpr int64_t kWindow = 3;

double elements(const std::vector<int64_t> &extents) {
    return static_cast<double>(element_count(extents));
}

// An element of an element-wise result needs the one at its place, one of a sum all channels of a window.
Footprint footprint(MappingType type, const std::vector<int64_t> &from,
                    const std::vector<int64_t> &to) {
    if (from.size() != to.size()) {
        return {};
    }
    Footprint result;
    for (size_t axis = 0; axis < from.size(); axis++) {
        AxisReach reach{.axis = static_cast<int>(axis), .stride = 1};
        if (type == MappingType::ManyToMany) {
            reach.whole = axis == 1;
            reach.window = axis > 1 ? kWindow : 1;
        } else if (type != MappingType::OneToOne) {
            reach.whole = true;
        }
        result.axes.push_back(reach);
    }
    return result;
}

// As every operator of these graphs: vectors of eight elements.
ImplementationChoice copy_of(const std::vector<int64_t> &extents) {
    ImplementationChoice choice;
    choice.name = "direct";
    choice.copies = true;
    choice.parts = {{"", Placement::Inline}};
    choice.nest.template_name = "nest_of_copies";
    choice.nest.parameters = {{"vector", NestType::Count, "elements", {4, 8}, 8}};
    choice.nest.crossing_parameter = "crossing";
    choice.nest.panels.serial = {{"serial", 1}};
    choice.vector_operations = elements(extents) / 8.0;
    Operand operand{.value = 0, .reads = elements(extents)};
    operand.footprint = footprint(MappingType::OneToOne, extents, extents);
    choice.operands = {operand};
    return choice;
}

}  // namespace

int GraphMaker::value(const std::vector<int64_t> &extents, ValueRole role) {
    Value v;
    v.name = "v" + std::to_string(graph.values.size());
    v.extents = extents;
    v.role = role;
    v.copy = std::make_shared<ImplementationChoice>(copy_of(extents));
    graph.values.push_back(v);
    return static_cast<int>(graph.values.size()) - 1;
}

int GraphMaker::op(const std::string &name, MappingType type, const std::vector<int> &from,
                   std::vector<int64_t> extents) {
    if (extents.empty()) {
        extents = graph.values.at(static_cast<size_t>(from.front())).extents;
    }
    ImplementationChoice choice;
    choice.name = "direct";
    if (type == MappingType::ManyToMany) {
        choice.parts.push_back({"sum", Placement::Register});
    }
    choice.parts.push_back({"", Placement::Inline});
    choice.nest.template_name = "nest_of_" + name;
    choice.nest.parameters = {{"vector", NestType::Count, "elements", {4, 8}, 8}};
    choice.reduces = type == MappingType::ManyToMany;
    const double work = choice.reduces ? kWindow * kWindow * 8.0 : 1.0;
    choice.vector_operations = work * elements(extents) / 8.0 * CpuMachine().operations_per_cycle;
    choice.nest.panels.serial = {{"serial", 1}};
    choice.nest.panels.is_panel = true;
    if (choice.reduces && extents.size() == 4) {
        choice.nest.parameters.push_back({"task_rows", NestType::Count, "rows", {1, 1024}, 4});
        choice.nest.panels.outer_axes = {0};
        choice.nest.panels.row_axis = 2;
        choice.nest.panels.rows_parameter = "task_rows";
        choice.nest.panels.whole_axes = {1};
    }
    for (int v : from) {
        const bool known = std::any_of(choice.operands.begin(), choice.operands.end(),
                                       [v](const Operand &operand) { return operand.value == v; });
        if (!known) {
            Operand operand;
            operand.value = v;
            operand.type = type;
            operand.wants_row_major = type == MappingType::Reorganize;
            operand.reads = work * elements(extents);
            operand.footprint =
                footprint(type, graph.values[static_cast<size_t>(v)].extents, extents);
            choice.operands.push_back(operand);
        }
    }
    PlannerOperator op;
    op.name = name;
    op.type = type;
    op.result = value(extents, ValueRole::Intermediate);
    choice.copies = type == MappingType::Reorganize && choice.operands.size() == 1;
    op.implementation = choice;
    graph.operators.push_back(op);
    return op.result;
}

int GraphMaker::slice(const std::string &name, int from, const std::vector<int64_t> &offset,
                      const std::vector<int64_t> &extents) {
    const int result = op(name, MappingType::OneToOne, {from}, extents);
    last().copies = true;
    last().operands.front().offset = offset;
    return result;
}

int GraphMaker::transpose(const std::string &name, int from, const std::vector<int> &axes) {
    const std::vector<int64_t> extents = graph.values.at(static_cast<size_t>(from)).extents;
    std::vector<int64_t> moved;
    std::vector<AxisReach> reach(axes.size());
    for (size_t i = 0; i < axes.size(); i++) {
        moved.push_back(extents.at(static_cast<size_t>(axes[i])));
        reach.at(static_cast<size_t>(axes[i])) = {.axis = static_cast<int>(i), .stride = 1};
    }
    const int result = op(name, MappingType::Shuffle, {from}, moved);
    last().copies = true;
    last().operands.front().footprint.axes = reach;
    return result;
}

int GraphMaker::concat(const std::string &name, const std::vector<int> &from, int axis) {
    std::vector<int64_t> extents = graph.values.at(static_cast<size_t>(from.front())).extents;
    extents[static_cast<size_t>(axis)] = 0;
    for (int v : from) {
        extents[static_cast<size_t>(axis)] +=
            graph.values.at(static_cast<size_t>(v)).extents[static_cast<size_t>(axis)];
    }
    const int result = op(name, MappingType::OneToOne, from, extents);
    graph.operators.back().concatenation = {axis, from};
    return result;
}

std::string groups_of(const Plan &plan) {
    std::string text;
    for (const PlannedGroup &group : plan.groups) {
        std::string members;
        for (const PlannedMember &member : group.members) {
            members += (members.empty() ? "" : " ") + member.op;
        }
        if (group.kind == GroupKind::Convert) {
            members = "convert";
        }
        text += text.empty() ? "" : " | ";
        text += group.kind == GroupKind::View ? "[" + members + "]" : members;
    }
    return text;
}

std::string refusal_between(const Plan &plan, const std::string &producer,
                            const std::string &consumer) {
    for (const Refusal &r : plan.refusals) {
        if (r.producer == producer && r.consumer == consumer) {
            return r.reason;
        }
    }
    return "";
}

namespace {

using Below = std::function<size_t(size_t)>;

// A convolution of all channels, of one by one or three by three pixels, or one of each channel by itself, or
// a pool, which halves the image. Channels become more or fewer.
int random_window(GraphMaker &maker, const std::string &name, int from, const Below &below) {
    constexpr int64_t kFewest = 4, kMost = 128;  // channels
    const std::vector<int64_t> in = maker.graph.values[static_cast<size_t>(from)].extents;
    const size_t kind = below(4);
    const bool sums_channels = kind < 2, pools = kind == 3;
    const int64_t window = kind == 0 ? 1 : pools ? 2 : kWindow;
    std::vector<int64_t> out = in;
    if (sums_channels && below(2) == 0) {
        out[1] = below(2) == 0 ? std::min(kMost, 4 * in[1]) : std::max(kFewest, in[1] / 4);
    }
    const bool halves = pools && in[2] > 1 && in[3] > 1;
    if (halves) {
        out[2] /= 2;
        out[3] /= 2;
    }
    const int result =
        maker.op(name, MappingType::ManyToMany, {from, maker.constant({out[1], in[1]})}, out);
    ImplementationChoice &choice = maker.last();
    const double taps =
        static_cast<double>(window * window) * static_cast<double>(sums_channels ? in[1] : 1);
    choice.vector_operations = taps * elements(out) / 16.0 * CpuMachine().operations_per_cycle;
    Operand &image = choice.operands.front();
    image.reads = taps * elements(out);
    image.footprint.axes[1].whole = sums_channels;
    for (size_t axis : {2, 3}) {
        image.footprint.axes[axis].window = window;
        image.footprint.axes[axis].stride = halves ? 2 : 1;
    }
    return result;
}

// Mostly an operator of `type`; for some values of `kind` a concatenation, a slice or a Transpose, which change
// extents. Operands of other operators may have any.
int random_operator(GraphMaker &maker, const std::string &name, MappingType type,
                    const std::vector<int> &from, size_t kind) {
    const auto extents = [&](int v) { return maker.graph.values[static_cast<size_t>(v)].extents; };
    const auto axis = kind % 4;
    const bool matrix = extents(from.back()).size() != 4;
    if (kind < 2) {
        std::vector<int> parts;
        for (int v : from) {
            std::vector<int64_t> a = extents(v), b = extents(from.front());
            if (a.size() == b.size()) {
                a[axis] = b[axis] = 0;
            }
            if (a == b) {
                parts.push_back(v);
            }
        }
        return maker.concat(name, parts, static_cast<int>(axis));
    }
    if (kind == 2 && !matrix && extents(from.front())[axis] > 1) {
        std::vector<int64_t> part = extents(from.front()), offset(4, 0);
        part[axis]--;
        offset[axis] = 1;
        return maker.slice(name, from.front(), offset, part);
    }
    if (type == MappingType::Shuffle && !matrix && kind % 2 == 1) {
        const std::vector<int> orders[] = {{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 1, 3}};
        return maker.transpose(name, from.front(), orders[kind / 2 - 1]);
    }
    return maker.op(name, type, from);
}

}  // namespace

std::string wrong_with(const OperatorGraph &graph, const std::vector<std::vector<int>> &groups) {
    const auto consumers = graph.consumers();
    const std::vector<int> producers = graph.producers();
    const auto name = [&](int op) {
        return "'" + graph.operators[static_cast<size_t>(op)].name + "'";
    };
    std::vector<bool> computed(graph.operators.size(), false), stored = computed;
    for (const std::vector<int> &group : groups) {
        const auto inside = [&](int op) {
            return std::find(group.begin(), group.end(), op) != group.end();
        };
        for (const int member : group) {
            const PlannerOperator &op = graph.operators[static_cast<size_t>(member)];
            computed[static_cast<size_t>(member)] = true;
            const std::vector<int> &readers = consumers[static_cast<size_t>(op.result)];
            if (member != group.back() && std::none_of(readers.begin(), readers.end(), inside)) {
                return name(member) + " is computed for nobody";
            }
            for (const Operand &operand : op.implementation.operands) {
                const int producer = producers[static_cast<size_t>(operand.value)];
                if (producer >= 0 && !inside(producer) && !stored[static_cast<size_t>(producer)]) {
                    return name(member) + " reads " + name(producer) + ", which nobody has stored";
                }
            }
        }
        if (stored[static_cast<size_t>(group.back())]) {
            return name(group.back()) + " is stored twice";
        }
        stored[static_cast<size_t>(group.back())] = true;
    }
    for (size_t i = 0; i < computed.size(); i++) {
        const int result = graph.operators[i].result;
        if (!computed[i] || (graph.values[static_cast<size_t>(result)].is_output && !stored[i])) {
            return name(static_cast<int>(i)) + (computed[i] ? " is not stored" : " is in no group");
        }
    }
    return "";
}

void for_each_legal_group(const OperatorGraph &graph, size_t most,
                          const std::function<void(const std::vector<int> &)> &visit) {
    const auto consumers = graph.consumers();
    const size_t count = graph.operators.size();
    for (size_t set = 1; set < size_t{1} << count; set++) {
        std::vector<int> members;
        for (size_t op = 0; op < count; op++) {
            if (((set >> op) & 1) != 0) {
                members.push_back(static_cast<int>(op));
            }
        }
        if (members.size() <= most && illegal_because(graph, consumers, members).empty()) {
            visit(members);
        }
    }
}

OperatorGraph random_graph(uint64_t seed, int operators) {
    std::mt19937_64 engine(seed);
    const Below below = [&](size_t n) { return static_cast<size_t>(engine() % n); };
    GraphMaker maker;
    const std::vector<int64_t> image =
        below(2) == 0 ? std::vector<int64_t>{1, 8, 6, 6} : std::vector<int64_t>{1, 16, 28, 28};
    std::vector<int> values{maker.input(image)};
    if (below(2) == 0) {
        values.push_back(maker.input(image));
    }
    const auto extents = [&](int v) { return maker.graph.values[static_cast<size_t>(v)].extents; };
    constexpr MappingType kTypes[] = {MappingType::OneToOne,   MappingType::OneToOne,
                                      MappingType::ManyToMany, MappingType::OneToMany,
                                      MappingType::Reorganize, MappingType::Shuffle,
                                      MappingType::Opaque};
    for (int i = 0; i < operators; i++) {
        std::vector<int> from;
        for (size_t n = 1 + below(3); n > 0; n--) {
            // Near values more often: chains, with shortcuts.
            const size_t back = below(2) == 0 ? 1 + below(std::min<size_t>(values.size(), 2))
                                              : 1 + below(values.size());
            from.push_back(values[values.size() - back]);
        }
        if (below(4) == 0) {
            from.push_back(maker.constant({8, 3}));
        }
        const MappingType type = kTypes[below(std::size(kTypes))];
        const std::string name = "op" + std::to_string(i);
        const bool is_image = extents(from.front()).size() == 4;
        // The ends of two branches meet again, where they can: a diamond.
        const auto readers = maker.graph.consumers();
        const auto other = std::find_if(values.begin(), values.end() - 1, [&](int v) {
            return extents(v) == extents(values.back()) && readers[static_cast<size_t>(v)].empty();
        });
        int result = -1;
        if (is_image && below(3) == 0) {
            result = random_window(maker, name, from.front(), below);
        } else if (other != values.end() - 1 && below(4) == 0) {
            result = maker.add(name, *other, values.back());
        } else {
            result = random_operator(maker, name, type, from, below(8));
        }
        ImplementationChoice &choice = maker.last();
        // Most values have elements of four bytes.
        constexpr int kBytes[] = {1, 2, 4, 8};
        if (below(4) == 0) {
            maker.graph.values[static_cast<size_t>(result)].element_bytes =
                kBytes[below(std::size(kBytes))];
        }
        if (below(3) == 0) {
            choice.innermost_axis = static_cast<int>(below(4));
        }
        for (Operand &operand : choice.operands) {
            const bool constant =
                maker.graph.values[static_cast<size_t>(operand.value)].role == ValueRole::Constant;
            if (constant && below(2) == 0) {
                operand.constant_layout = {{1, 0}, {}, 0.0, 0, 4};
            } else if (!constant && below(4) == 0) {
                operand.halo = {{}, {}, {1, 1}, {static_cast<int64_t>(below(2)), 2}};
                operand.fill = below(2) == 0 ? 0.0 : -1.0;
            }
        }
        if (below(6) == 0) {
            maker.output(result);
        }
        values.push_back(result);
    }
    const auto consumers = maker.graph.consumers();
    for (const PlannerOperator &op : maker.graph.operators) {
        if (consumers[static_cast<size_t>(op.result)].empty()) {
            maker.output(op.result);
        }
    }
    return maker.graph;
}

}  // namespace emulsion::test
