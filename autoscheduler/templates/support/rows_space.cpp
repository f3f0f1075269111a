// The parameters of rows.h: which values they may have, and which an operator is offered.
#include <algorithm>

#include "autoscheduler/templates/support/interleaving.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/work.h"

namespace emulsion {

namespace {

using Rule = NestConstraint::Rule;

// Work below this many elements is done before another thread has woken up; of more, the planner decides by price.
constexpr int64_t kSerialElements = 8192;
// Of so many operations each; of more, fewer are enough.
constexpr double kOperations = 16.0;
constexpr int64_t kOfferedTasksPerThread = 4;
constexpr int64_t kLongestVector = 64;
constexpr int64_t kMostTasks = 1 << 20;
constexpr int64_t kMostInterleaved = 8;
// Parameters that only some operators' nests have.
constexpr const char *kOfSome[] = {"row_axis", "outer_axes", "task_rows", "interleaved",
                                   "interleaved_axis"};
// Results of more axes compute no other stages: a plan names axes by the bits of a number.
constexpr size_t kMostHostRank = 16;

// Elements computed and read, about: a reduction reads more than it computes.
int64_t work_of(const NestSubject &subject, int64_t elements) {
    int64_t work = elements;
    for (const FuncFacts &part : subject.parts) {
        auto read = static_cast<int64_t>(element_count(part, subject.result(), subject.extents));
        for (const ReductionLoop &loop : part.reduction) {
            read = loop.extent < 0 || read > kSerialElements ? read : read * loop.extent;
        }
        const double operations = std::max(part.operations / kOperations, 1.0);
        work = std::max(work, static_cast<int64_t>(static_cast<double>(read) * operations));
    }
    return work;
}

// Whether blocks of a row's columns may be tasks as rows are.
bool blocks_are_rows(const NestSubject &subject) {
    return sums_keep_columns(subject) ||
           std::none_of(subject.parts.begin(), subject.parts.end(),
                        [](const FuncFacts &part) { return part.is_reduction(); });
}

void add_parameters(NestSpace &space, const NestSpace &of,
                    std::initializer_list<const char *> names) {
    for (const char *name : names) {
        space.parameters.push_back(*of.find(name));
        space.parameters.back().is_optional = false;
    }
}

// Of columns as the program thinks of them: what lies innermost in memory may be another axis, where it means nothing.
void add_interleaving(const NestSubject &subject, NestSpace &space) {
    const int axis = subject.natural_order.empty() ? -1 : subject.natural_order.back();
    const int64_t steps = interleaved_columns(subject, axis);
    if (steps > 1) {
        NestSpace own = rows_domains(static_cast<int>(subject.extents.size()));
        narrow(own, "interleaved", steps, 1, steps);
        fix(own, "interleaved_axis", axis);
        add_parameters(space, own, {"interleaved", "interleaved_axis"});
    }
}

}  // namespace

NestSpace rows_bounds(const NestFuncs &funcs) { return rows_domains(funcs.root.dimensions()); }

bool sums_keep_columns(const NestSubject &subject) {
    if (subject.natural_order.empty()) {
        return false;
    }
    const std::string &column =
        subject.result().args[static_cast<size_t>(subject.natural_order.back())];
    return std::any_of(subject.parts.begin(), subject.parts.end(), [&](const FuncFacts &part) {
        return part.is_reduction() &&
               std::find(part.args.begin(), part.args.end(), column) != part.args.end();
    });
}

NestSpace rows_domains(int rank) {
    NestParameter vector = count_parameter("vector", "elements", 1, kLongestVector);
    vector.domain.powers_of_two = true;
    NestParameter row = axis_parameter("row_axis", rank);
    NestParameter outer{"outer_axes", NestType::Axes, "axes", {0, (1 << kMostHostRank) - 1}, 0};
    NestParameter task_rows = count_parameter("task_rows", "rows", 1, kMostTasks);
    NestParameter interleaved = count_parameter("interleaved", "vectors", 1, kMostInterleaved);
    NestParameter interleaved_axis = axis_parameter("interleaved_axis", rank);
    row.is_optional = outer.is_optional = task_rows.is_optional = true;
    interleaved.is_optional = interleaved_axis.is_optional = true;
    NestSpace space;
    space.parameters = {optional_axis_parameter("column_axis", rank),
                        optional_axis_parameter("crossing_axis", rank),
                        vector,
                        count_parameter("tasks", "tasks", 0, kMostTasks),
                        row,
                        outer,
                        task_rows,
                        interleaved,
                        interleaved_axis};
    return space;
}

NestSpace rows_space(const std::string &template_name, const NestSubject &subject) {
    int64_t elements = 1;
    for (int64_t e : subject.extents) {
        elements *= e;
    }
    const int64_t columns =
        subject.natural_order.empty()
            ? 1
            : subject.extents[static_cast<size_t>(subject.natural_order.back())];
    const int64_t vector = subject.machine.lanes(subject.result().type.bytes());
    const bool worth_it =
        work_of(subject, elements) >= kSerialElements && subject.machine.cores() > 1;
    const int64_t rows = std::max<int64_t>(elements / std::max<int64_t>(columns, 1), 1) *
                         (blocks_are_rows(subject) ? std::max<int64_t>(columns / vector, 1) : 1);
    const int64_t tasks =
        worth_it ? std::min<int64_t>(kOfferedTasksPerThread * subject.machine.cores(), rows) : 0;
    NestSpace space = rows_domains(static_cast<int>(subject.extents.size()));
    space.template_name = template_name;
    for (const char *name : kOfSome) {
        leave_out(space, name);
    }
    add_interleaving(subject, space);
    narrow(space, "vector", vector, 1, 2 * vector);
    narrow(space, "tasks", tasks, 0, std::max(rows, tasks));
    space.panels.serial = {{"tasks", 0}};
    space.panels.unused_as_panel = {"tasks"};
    return space;
}

void host_panels(const NestSubject &subject, NestSpace &space) {
    const std::vector<int> &order = subject.natural_order;
    const size_t rank = order.size();
    space.panels.is_panel = true;
    if (rank < 2 || rank > kMostHostRank) {
        return;
    }
    // Of an image the rows are outside of the channels, whichever of them lie innermost.
    const size_t outer = rank < 3 ? 0 : std::max<size_t>(rank - 3, 1);
    int64_t mask = 0;
    for (size_t i = 0; i < outer; i++) {
        space.panels.outer_axes.push_back(order[i]);
        mask |= int64_t{1} << order[i];
    }
    space.panels.row_axis = order[rank - 2];
    space.panels.rows_parameter = "task_rows";
    space.panels.unused_alone = {"task_rows"};
    space.panels.unused_hosting = {"crossing_axis"};
    const int64_t rows = subject.extents[static_cast<size_t>(space.panels.row_axis)];
    NestSpace hosting = rows_domains(static_cast<int>(rank));
    fix(hosting, "row_axis", space.panels.row_axis);
    fix(hosting, "outer_axes", mask);
    narrow(hosting, "task_rows", rows, 1, rows);
    add_parameters(space, hosting, {"row_axis", "outer_axes", "task_rows"});
    std::vector<int> taken = space.panels.outer_axes;
    taken.push_back(space.panels.row_axis);
    for (const int axis : taken) {
        space.constraints.push_back({Rule::ProductAtMost,
                                     {"column_axis"},
                                     -1,
                                     "has columns along axis " + std::to_string(axis) +
                                         ", of which a panel has a part only",
                                     std::pair{"column_axis", axis}});
    }
}

std::optional<Nest> scalar_rows(const Nest &nest) {
    if (rows_vector(nest) == 1) {
        return std::nullopt;
    }
    Nest scalar = nest;
    scalar.parameters["vector"] = 1;
    return scalar;
}

std::vector<int64_t> rows_panel(const Nest &nest, const std::vector<int64_t> &extents) {
    if (nest.parameters.count("row_axis") == 0) {
        return {};
    }
    const int64_t outer = parameter(nest, "outer_axes");
    std::vector<int64_t> block = extents;
    for (size_t axis = 0; axis < block.size(); axis++) {
        if (((outer >> axis) & 1) != 0) {
            block[axis] = 1;
        }
    }
    block[static_cast<size_t>(parameter(nest, "row_axis"))] = parameter(nest, "task_rows");
    return block;
}

int rows_vector(const Nest &nest) { return parameter(nest, "vector"); }

int rows_tasks(const Nest &nest) { return parameter(nest, "tasks"); }

}  // namespace emulsion
