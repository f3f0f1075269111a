#include "fusion/image/suggested_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fusion/image/decisions_at.h"
#include "fusion/image/group_price.h"
#include "fusion/image/image_space.h"
#include "fusion/image/needed_regions.h"
#include "fusion/image/stage_cost.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Of points that are predicted to take longer, those that lose at most this share of what is in question: prices are
// wrong by so much.
constexpr double kMostLoss = 0.6;
// How much a place and a loop count beside tiles.
constexpr double kWeightOfPlaces = 0.7, kWeightOfLoops = 0.6;

// Ways to change one thing, the promising ones first.
struct Subject {
    double weight = 0.0;  // share of the time that it is about
    std::vector<Nest> points;
    size_t taken = 0;
};

class Suggesting {
public:
    Suggesting(const ImageGraph &graph, const CpuMachine &machine, const Nest &from)
        : graph_(graph), machine_(machine), decisions_(decisions_at(graph, machine, from)),
          open_(without_tiles(from)), from_(with_tiles(from, graph, decisions_)) {
        for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
            positions_[graph.stages[static_cast<size_t>(i)].name] = i;
        }
        for (const ImageGroup &group : decisions_.groups) {
            all_cycles_ += group.cycles;
        }
    }

    std::vector<Nest> run(size_t most) {
        for (const ImageGroup &group : decisions_.groups) {
            const ImageStage &root = stage(group.root);
            if (!root.definitions.empty() && !root.has_own_loops) {
                add_tiles(group);
                add_loops(group, group.root);
                for (const int member : group.members) {
                    add_loops(group, member);
                }
            }
        }
        for (size_t i = 0; i < decisions_.graph.stages.size(); i++) {
            add_places(static_cast<int>(i));
        }
        add_for_all();
        return take(most);
    }

private:
    const ImageStage &stage(int i) const { return decisions_.graph.stages[static_cast<size_t>(i)]; }

    // What is of other tiles than these is decided anew.
    static Nest without_tiles(Nest point) {
        std::erase_if(point.parameters, [](const auto &parameter) {
            for (const char *name : {".block", ".slide", ".sweep", ".share"}) {
                if (parameter.first.find(name) != std::string::npos) {
                    return true;
                }
            }
            return false;
        });
        return point;
    }

    void add(double weight, std::vector<Nest> points) {
        if (!points.empty() && std::isfinite(weight)) {
            subjects_.push_back({weight, std::move(points), 0});
        }
    }

    void add_tiles(const ImageGroup &group) {
        std::vector<std::pair<double, Nest>> ways;
        for (PricedShape &priced :
             priced_shapes(decisions_.graph, decisions_.placements, machine_, group)) {
            if (priced.shape == group.shape ||
                !(priced.cycles < (1.0 + kMostLoss) * group.cycles)) {
                continue;
            }
            ImageDecisions other = decisions_;
            for (ImageGroup &changed : other.groups) {
                if (changed.root == group.root) {
                    changed.shape = std::move(priced.shape);
                }
            }
            ways.emplace_back(priced.cycles, with_tiles(from_, graph_, other));
        }
        std::stable_sort(ways.begin(), ways.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        std::vector<Nest> points;
        for (auto &[cycles, point] : ways) {
            points.push_back(std::move(point));
        }
        add(group.cycles / all_cycles_, std::move(points));
    }

    void add_places(int i) {
        const auto position = positions_.find(stage(i).name);
        if (position == positions_.end()) {
            return;
        }
        std::vector<std::pair<double, Placement>> ways;
        double decided = 0.0;
        for (const StageChoice &choice : decisions_.choices[static_cast<size_t>(i)]) {
            if (choice.placement == decisions_.placements[static_cast<size_t>(i)]) {
                decided = choice.cycles;
            } else if (std::isfinite(choice.cycles)) {
                ways.emplace_back(choice.cycles, choice.placement);
            }
        }
        std::sort(ways.begin(), ways.end());
        std::vector<Nest> points;
        for (const auto &[cycles, placement] : ways) {
            if (cycles < (1.0 + kMostLoss) * decided) {
                points.push_back(open_);
                points.back().parameters[image_parameter(position->second, "place")] =
                    static_cast<int64_t>(placement);
            }
        }
        const double loss = points.empty() ? 0.0 : ways.front().first / decided - 1.0;
        add(kWeightOfPlaces * std::min(decided / all_cycles_, 1.0) * (1.0 - std::max(loss, 0.0)),
            std::move(points));
    }

    // Of the time of its group, that of the stage by its operations.
    double share_of(const ImageGroup &group, int i) const {
        double all = 0.0, own = 0.0;
        std::vector<int> stages = group.members;
        stages.push_back(group.root);
        for (const int each : stages) {
            double operations = 0.0;
            const auto costs = stage_costs(decisions_.graph, decisions_.placements, each, machine_);
            for (size_t d = 0; d < costs.size(); d++) {
                const Extents all_of(stage(each).extents.begin(), stage(each).extents.end());
                operations += costs[d].cycles * evaluations(stage(each).definitions[d], all_of);
            }
            all += operations;
            own += each == i ? operations : 0.0;
        }
        return all > 0.0 ? group.cycles / all_cycles_ * own / all : 0.0;
    }

    // That pay: of many rows.
    bool may_have_row_blocks(int i) const {
        constexpr int64_t kManyRows = 16;
        const ImageStage &s = stage(i);
        return s.is_pure() && s.extents.size() > 1 && s.extents[1] >= kManyRows &&
               unrolled_axis(
                   s, stage_costs(decisions_.graph, decisions_.placements, i, machine_)) != 1;
    }

    // Tiles of whole blocks of rows.
    void cut_into(int64_t rows, const ImageGroup &group, int position, Nest &point) const {
        const int64_t before = group.shape.block[1], extent = stage(group.root).extents[1];
        const int64_t tile = before > 0 ? before : (extent + 1) / 2;
        point.parameters[image_parameter(position, block_of_axis(1))] =
            std::max(rows, std::min((tile + rows - 1) / rows, extent / rows) * rows);
    }

    void add_loops(const ImageGroup &group, int i) {
        const auto position = positions_.find(stage(i).name);
        const auto placement = decisions_.placements[static_cast<size_t>(i)];
        if (position == positions_.end() || placement == Placement::Register) {
            return;
        }
        std::vector<Nest> points;
        const auto offer = [&](const std::string &name, int64_t value) {
            const std::string parameter = image_parameter(position->second, name);
            const auto before = from_.parameters.find(parameter);
            if (before == from_.parameters.end() || before->second != value) {
                points.push_back(from_);
                points.back().parameters[parameter] = value;
                if (name == "row_block" && i == group.root) {
                    cut_into(value, group, position->second, points.back());
                }
            }
        };
        const int64_t lanes = vector_of(stage(i), machine_);
        if (may_have_row_blocks(i)) {
            offer("row_block", 2);
            offer("row_block", 4);
        }
        offer("vectors", 2);
        offer("vectors", 4);
        if (!stage(i).is_pure()) {
            offer("rows", 2);
            offer("vectors", 8);
            offer("rows", 4);
        }
        if (lanes > 4) {
            offer("vector", lanes / 2);
        }
        add(kWeightOfLoops * share_of(group, i), std::move(points));
    }

    // What all stages may have alike.
    void add_for_all() {
        Nest aligned = from_, narrow = from_, pairs = from_, fours = from_;
        for (const ImageGroup &group : decisions_.groups) {
            std::vector<int> stages = group.members;
            stages.push_back(group.root);
            for (const int i : stages) {
                const auto position = positions_.find(stage(i).name);
                if (position == positions_.end() || stage(i).definitions.empty() ||
                    stage(i).has_own_loops) {
                    continue;
                }
                const int at = position->second;
                if (!stage(i).is_output) {
                    aligned.parameters[image_parameter(at, "aligned")] = 1;
                }
                narrow.parameters[image_parameter(at, "vector")] =
                    std::max<int64_t>(1, vector_of(stage(i), machine_) / 2);
                if (may_have_row_blocks(i)) {
                    for (const auto &[rows, point] : {std::pair(2, &pairs), std::pair(4, &fours)}) {
                        point->parameters[image_parameter(at, "row_block")] = rows;
                        if (i == group.root) {
                            cut_into(rows, group, at, *point);
                        }
                    }
                }
            }
        }
        for (Nest *point : {&pairs, &aligned, &fours, &narrow}) {
            if (*point != from_) {
                add(kWeightOfLoops, {*point});
            }
        }
    }

    // The next of the subject that got the fewest for its weight.
    std::vector<Nest> take(size_t most) {
        std::vector<Nest> points;
        while (points.size() < most) {
            Subject *next = nullptr;
            const auto worth = [](const Subject &s) {
                return s.taken < s.points.size() ? s.weight / (1.0 + static_cast<double>(s.taken))
                                                 : -1.0;
            };
            for (Subject &subject : subjects_) {
                if (worth(subject) >= 0.0 && (next == nullptr || worth(subject) > worth(*next))) {
                    next = &subject;
                }
            }
            if (next == nullptr) {
                break;
            }
            Nest &point = next->points[next->taken++];
            if (point != from_) {
                points.push_back(std::move(point));
            }
        }
        return points;
    }

    const ImageGraph &graph_;
    const CpuMachine &machine_;
    const ImageDecisions decisions_;
    const Nest open_, from_;
    std::map<std::string, int> positions_;  // of stages that are no copies, by name
    double all_cycles_ = 0.0;
    std::vector<Subject> subjects_;
};

}  // namespace

std::vector<Nest> suggested_points(const ImageGraph &graph, const CpuMachine &machine,
                                   const Nest &from, size_t most) {
    return Suggesting(graph, machine, from).run(most);
}

namespace {

// What a stage has without the parameter is not tried once more with it, nor what is hopeless: a search steps from there
// to the least value.
int64_t least_worth(const std::string &name, const ImageStage &stage, const CpuMachine &machine) {
    return name == "vector"    ? std::max<int64_t>(1, vector_of(stage, machine) / 2)
           : name == "aligned" ? 1
                               : 2;
}

}  // namespace

NestSpace space_around(const ImageGraph &graph, const CpuMachine &machine, const Nest &from,
                       std::set<std::string> free) {
    const ImageDecisions decisions = decisions_at(graph, machine, from);
    std::map<std::string, int64_t> least;
    for (const auto &[name, value] : with_tiles(from, graph, decisions).parameters) {
        free.insert(name);
    }
    for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
        const std::string &name = graph.stages[static_cast<size_t>(i)].name;
        for (size_t decided = 0; decided < decisions.graph.stages.size(); decided++) {
            if (decisions.graph.stages[decided].name != name) {
                continue;
            }
            const auto place = decisions.placements[decided];
            if (decisions.choices[decided].size() > 1) {
                free.insert(image_parameter(i, "place"));
            }
            if (place == Placement::Panel || place == Placement::Root) {
                for (const char *loop : {"vector", "vectors", "rows", "row_block", "aligned"}) {
                    const std::string parameter = image_parameter(i, loop);
                    free.insert(parameter);
                    least[parameter] = least_worth(loop, decisions.graph.stages[decided], machine);
                }
            }
        }
    }
    NestSpace space = image_space(graph, machine);
    std::erase_if(space.parameters,
                  [&](const NestParameter &p) { return free.count(p.name) == 0; });
    for (NestParameter &parameter : space.parameters) {
        if (const auto found = least.find(parameter.name); found != least.end()) {
            const auto value = from.parameters.find(parameter.name);
            const int64_t own = value == from.parameters.end() ? found->second : value->second;
            parameter.domain.least = std::min({found->second, own, parameter.domain.most});
            parameter.preferred = parameter.domain.least;
        }
    }
    return space;
}

}  // namespace emulsion
