#include "autoscheduler/templates/support/parameters.h"

#include <algorithm>

#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

int parameter(const Nest &nest, const std::string &name) {
    const auto it = nest.parameters.find(name);
    if (it == nest.parameters.end()) {
        throw Error("loop nest '" + nest.template_name + "' lacks its parameter '" + name + "'");
    }
    return static_cast<int>(it->second);
}

int parameter(const Nest &nest, const std::string &name, int otherwise) {
    const auto it = nest.parameters.find(name);
    return it == nest.parameters.end() ? otherwise : static_cast<int>(it->second);
}

NestParameter axis_parameter(const std::string &name, int rank) {
    return {name, NestType::Axis, "axis", {0, std::max(rank - 1, 0)}, 0};
}

NestParameter optional_axis_parameter(const std::string &name, int rank) {
    return {name, NestType::Axis, "axis", {-1, rank - 1}, -1};
}

NestParameter count_parameter(const std::string &name, const std::string &unit, int64_t least,
                              int64_t most) {
    return {name, NestType::Count, unit, {least, most}, least};
}

NestParameter flag_parameter(const std::string &name) {
    return {name, NestType::Flag, "flag", {0, 1}, 0};
}

void prefer(NestSpace &space, const std::string &name, int64_t value) {
    space.find(name)->preferred = value;
}

void leave_out(NestSpace &space, const std::string &name) {
    std::erase_if(space.parameters, [&](const NestParameter &p) { return p.name == name; });
}

void narrow(NestSpace &space, const std::string &name, int64_t value, int64_t least, int64_t most) {
    NestParameter &p = *space.find(name);
    p.preferred = value;
    p.domain.least = std::min(value, std::max(p.domain.least, least));
    p.domain.most = std::max(value, std::min(p.domain.most, most));
}

void fix(NestSpace &space, const std::string &name, int64_t value) {
    narrow(space, name, value, value, value);
}

void set_points(NestSpace &space, std::shared_ptr<const NestModel> model, const Machine &machine,
                const Nest &single_rows) {
    space.points = {{space.preferred()}};
    space.single_rows = {single_rows};
    space.model = std::move(model);
    space.estimate_for(machine);
}

void set_points(NestSpace &space, std::shared_ptr<const NestModel> model, const Machine &machine) {
    set_points(space, std::move(model), machine, space.preferred());
}

int64_t floor_power_of_two(int64_t n) {
    int64_t p = 1;
    while (p * 2 <= n) {
        p *= 2;
    }
    return p;
}

int64_t rows_per_task(int64_t rows, int64_t outer, int threads, int64_t least_rows) {
    // Enough tasks that a worker which is late costs little, few enough that starting them is free.
    constexpr int64_t kTasksPerThread = 8;
    int64_t best = rows;
    double best_cost = 1e30;
    for (int64_t size = std::min(least_rows, rows); size <= rows; size++) {
        const int64_t tasks = outer * ceil_div(rows, size);
        const int64_t rounds = ceil_div(tasks, threads);
        // Time of the busiest worker over the mean, plus a share per task for starting it.
        const double busiest =
            static_cast<double>(rounds * size) * threads / static_cast<double>(rows * outer);
        const double starting = 0.02 * static_cast<double>(tasks) / (threads * kTasksPerThread);
        const double late = 0.3 / static_cast<double>(std::max<int64_t>(rounds, 1));
        const double cost = busiest + starting + (threads > 1 ? late : 0.0);
        if (cost < best_cost) {
            best_cost = cost;
            best = size;
        }
    }
    return best;
}

}  // namespace emulsion
