#include "fusion/image/image_points.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "fusion/image/decide.h"
#include "fusion/image/group_price.h"

namespace emulsion {

namespace {

// Mixtures that are tried for every point that is asked for: many are alike.
constexpr size_t kTriesPerPoint = 4;
// Shares of the stages, and of the groups, that a mixture decides otherwise.
constexpr unsigned kMixedStages = 3, kMixedGroups = 2;

std::string name_of(Placement placement) {
    switch (placement) {
    case Placement::Inline: return "inlined";
    case Placement::Register: return "in registers";
    case Placement::Panel: return "in tiles";
    default: return "stored";
    }
}

std::string text_of(const Shape &shape) {
    std::string text = "tiles of ";
    for (size_t axis = 0; axis < shape.block.size(); axis++) {
        text += (axis > 0 ? " x " : "") +
                (shape.block[axis] > 0 ? std::to_string(shape.block[axis]) : "all");
    }
    return text + (shape.slide_axis >= 0 ? ", rows kept" : "") + (shape.sweep ? ", swept" : "");
}

bool are_alike(const ImageDecisions &a, const ImageDecisions &b) {
    return a.placements == b.placements && a.graph.stages.size() == b.graph.stages.size() &&
           std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                      [](const ImageGroup &x, const ImageGroup &y) {
                          return x.root == y.root && x.shape == y.shape;
                      });
}

class Drawing {
public:
    Drawing(const ImageGraph &graph, const CpuMachine &machine, const PointDrawing &drawing)
        : graph_(graph), machine_(machine), drawing_(drawing), random_(drawing.seed),
          decided_(decide_images(graph, machine)), cycles_(decided_cycles(machine, decided_)) {}

    std::vector<ImagePoint> run() {
        add(points_, "as planned", decided_);
        std::vector<std::vector<ImagePoint>> kinds{extremes(), moved_stages(), other_shapes(),
                                                   mixtures()};
        for (auto &kind : kinds) {
            std::shuffle(kind.begin(), kind.end(), random_);
        }
        while (points_.size() < drawing_.points &&
               std::any_of(kinds.begin(), kinds.end(), [](auto &kind) { return !kind.empty(); })) {
            for (auto &kind : kinds) {
                if (!kind.empty() && points_.size() < drawing_.points) {
                    add(points_, kind.back().label, std::move(kind.back().decisions));
                    kind.pop_back();
                }
            }
        }
        return std::move(points_);
    }

private:
    unsigned below(size_t n) { return static_cast<unsigned>(random_() % n); }

    void add(std::vector<ImagePoint> &points, const std::string &label,
             ImageDecisions decisions) const {
        const bool is_known = std::any_of(points.begin(), points.end(), [&](const auto &point) {
            return are_alike(point.decisions, decisions);
        });
        const double cycles = decided_cycles(machine_, decisions);
        if (!is_known && std::isfinite(cycles) && cycles <= drawing_.slowest * cycles_) {
            points.push_back({label, std::move(decisions), cycles});
        }
    }

    void add_wanted(std::vector<ImagePoint> &points, const std::string &label,
                    const WantedPlacements &wanted) const {
        add(points, label, decide_images(graph_, machine_, wanted));
    }

    std::vector<ImagePoint> extremes() const {
        std::vector<ImagePoint> points;
        for (const Placement placement : {Placement::Root, Placement::Inline, Placement::Panel}) {
            WantedPlacements wanted;
            for (const ImageStage &stage : graph_.stages) {
                wanted[stage.name] = placement;
            }
            add_wanted(points, "all that can be " + name_of(placement), wanted);
        }
        return points;
    }

    std::vector<ImagePoint> moved_stages() const {
        std::vector<ImagePoint> points;
        for (size_t i = 0; i < decided_.graph.stages.size(); i++) {
            const ImageStage &stage = decided_.graph.stages[i];
            for (const StageChoice &choice : decided_.choices[i]) {
                if (choice.placement != decided_.placements[i] && std::isfinite(choice.cycles) &&
                    stage.copy_of.empty()) {
                    add_wanted(points, stage.name + " " + name_of(choice.placement),
                               {{stage.name, choice.placement}});
                }
            }
        }
        return points;
    }

    std::vector<PricedShape> legal_shapes(const ImageDecisions &decisions,
                                          const ImageGroup &group) const {
        std::vector<PricedShape> shapes;
        const ImageGraph &graph = decisions.graph;
        if (!graph.stages[static_cast<size_t>(group.root)].definitions.empty()) {
            shapes = priced_shapes(graph, decisions.placements, machine_, group);
        }
        std::erase_if(shapes, [&](const PricedShape &priced) {
            return priced.shape == group.shape || !std::isfinite(priced.cycles) ||
                   priced.cycles - group.cycles > (drawing_.slowest - 1.0) * cycles_;
        });
        return shapes;
    }

    std::vector<ImagePoint> other_shapes() const {
        std::vector<ImagePoint> points;
        for (size_t g = 0; g < decided_.groups.size(); g++) {
            const ImageGroup &group = decided_.groups[g];
            for (PricedShape &priced : legal_shapes(decided_, group)) {
                ImageDecisions decisions = decided_;
                decisions.groups[g].shape = std::move(priced.shape);
                decisions.groups[g].cycles = priced.cycles;
                const std::string label =
                    decided_.graph.stages[static_cast<size_t>(group.root)].name + " in " +
                    text_of(decisions.groups[g].shape);
                points.push_back({label, std::move(decisions), 0.0});
            }
        }
        return points;
    }

    std::vector<ImagePoint> mixtures() {
        std::vector<ImagePoint> points;
        for (size_t i = 0; i < kTriesPerPoint * drawing_.points; i++) {
            WantedPlacements wanted;
            for (size_t stage = 0; stage < decided_.graph.stages.size(); stage++) {
                const std::vector<StageChoice> &choices = decided_.choices[stage];
                if (choices.size() > 1 && below(kMixedStages) == 0) {
                    wanted[decided_.graph.stages[stage].name] =
                        choices[below(choices.size())].placement;
                }
            }
            ImageDecisions decisions = decide_images(graph_, machine_, wanted);
            for (ImageGroup &group : decisions.groups) {
                std::vector<PricedShape> shapes = legal_shapes(decisions, group);
                if (!shapes.empty() && below(kMixedGroups) == 0) {
                    PricedShape &drawn = shapes[below(shapes.size())];
                    group.shape = std::move(drawn.shape);
                    group.cycles = drawn.cycles;
                }
            }
            add(points, "mixture " + std::to_string(i), std::move(decisions));
        }
        return points;
    }

    const ImageGraph &graph_;
    const CpuMachine &machine_;
    const PointDrawing &drawing_;
    std::mt19937_64 random_;
    const ImageDecisions decided_;
    const double cycles_;
    std::vector<ImagePoint> points_;
};

}  // namespace

std::vector<ImagePoint> image_points(const ImageGraph &graph, const CpuMachine &machine,
                                     const PointDrawing &drawing) {
    return Drawing(graph, machine, drawing).run();
}

}  // namespace emulsion
