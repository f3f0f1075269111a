#include "fusion/cost/measured_costs.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "fusion/geometric_mean.h"
#include "fusion/operator_graph.h"

namespace emulsion {

namespace {

std::string key_of(std::vector<std::string> members) {
    std::sort(members.begin(), members.end());
    std::string key;
    for (const std::string &member : members) {
        key += member + "\n";
    }
    return key;
}

std::string member_key(const std::string &op, const std::string &implementation) {
    return op + "\t" + implementation;
}

struct Prices {
    const std::map<std::string, double> &measured;
    std::function<double(const std::string &template_name)> scale_of;
    double least_scale;
};

class MeasuredCost : public GroupCost {
public:
    MeasuredCost(const OperatorGraph &graph, std::unique_ptr<GroupCost> model, const Prices &prices)
        : graph_(graph), model_(std::move(model)), prices_(prices) {}

    GroupPrice price(const std::vector<int> &members) const override {
        GroupPrice price = model_->price(members);
        if (price.refused.empty() && price.cycles > 0.0) {
            const auto known = prices_.measured.find(key(members));
            price.cycles =
                known != prices_.measured.end() ? known->second : price.cycles * scale(members);
        }
        return price;
    }

    // No price is further below the model's than the group that was measured furthest below.
    double least_cycles(int op) const override {
        return model_->least_cycles(op) * prices_.least_scale;
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }

    std::string key(const std::vector<int> &members) const {
        std::vector<std::string> names;
        for (const int member : members) {
            names.push_back(member_key(op(member).name, op(member).implementation.name));
        }
        return key_of(std::move(names));
    }

    double scale(const std::vector<int> &members) const {
        for (auto member = members.rbegin(); member != members.rend(); ++member) {
            if (const std::string &name = op(*member).implementation.nest.template_name;
                !name.empty()) {
                return prices_.scale_of(name);
            }
        }
        return prices_.scale_of("");
    }

    const OperatorGraph &graph_;
    std::unique_ptr<GroupCost> model_;
    const Prices prices_;
};

}  // namespace

std::string group_key(const PlannedGroup &group) {
    std::vector<std::string> members;
    for (const PlannedMember &member : group.members) {
        members.push_back(member_key(member.op, member.implementation));
    }
    return key_of(std::move(members));
}

std::string root_template(const PlannedGroup &group) {
    for (auto member = group.members.rbegin(); member != group.members.rend(); ++member) {
        if (!member->nest.empty()) {
            return member->nest.template_name;
        }
    }
    return "";
}

MeasuredCosts::MeasuredCosts(std::shared_ptr<CostSource> model,
                             const std::vector<MeasuredGroup> &groups)
    : model_(std::move(model)) {
    std::vector<double> all;
    std::map<std::string, std::vector<double>> by_template;
    for (const MeasuredGroup &group : groups) {
        if (group.measured > 0.0 && group.predicted > 0.0) {
            const double ratio = group.measured / group.predicted;
            measured_[group.key] = group.measured;
            all.push_back(ratio);
            by_template[group.template_name].push_back(ratio);
            least_scale_ = std::min(least_scale_, ratio);
        }
    }
    scale_ = geometric_mean(all);
    for (const auto &[name, ratios] : by_template) {
        scales_[name] = geometric_mean(ratios);
    }
}

double MeasuredCosts::scale_of(const std::string &template_name) const {
    const auto known = scales_.find(template_name);
    return known != scales_.end() ? known->second : scale_;
}

std::unique_ptr<GroupCost> MeasuredCosts::cost_of(const OperatorGraph &graph,
                                                  std::vector<bool> free_operators) {
    return std::make_unique<MeasuredCost>(
        graph, model_->cost_of(graph, std::move(free_operators)),
        Prices{measured_, [this](const std::string &name) { return scale_of(name); },
               least_scale_});
}

}  // namespace emulsion
