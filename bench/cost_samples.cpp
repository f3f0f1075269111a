#include "bench/cost_samples.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "backend/compiler.h"
#include "bench/compared_models.h"
#include "bench/measure.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "fusion/cost/analytic_cost.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

// A sample for every group that is a launch, without its time.
std::vector<CostSample> samples_of(const PlannedNetwork &network, const std::string &policy,
                                   size_t graph) {
    std::vector<CostSample> samples;
    for (const PlannedGroup &group : network.plan.groups) {
        if (group.kind == GroupKind::View) {
            continue;
        }
        CostSample sample;
        sample.policy = policy;
        sample.graph = graph;
        for (const PlannedMember &member : group.members) {
            if (group.kind == GroupKind::Compute) {
                sample.members.push_back(member.op);
            }
        }
        std::sort(sample.members.begin(), sample.members.end());
        sample.operations = operations_of(network.operators, sample.members);
        samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace

double operations_of(const OperatorGraph &graph, const std::vector<std::string> &members) {
    double count = 0.0;
    for (const std::string &member : members) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(graph.index_of(member))];
        count += 2.0 * op.implementation.multiply_adds +
                 static_cast<double>(
                     element_count(graph.values[static_cast<size_t>(op.result)].extents));
    }
    return count;
}

SampledNetwork sample_network(ComparedModels &compared, size_t model, int runs,
                              Progress &progress) {
    SampledNetwork result{compared.files()[model], {}, {}, {}};
    std::vector<LoadedNetwork> networks;
    std::vector<std::vector<CostSample>> samples;
    for (size_t p = 0; p < compared.policies().size(); p++) {
        CompileReport report;
        networks.push_back(compared.open(model, p, &report));
        samples.push_back(samples_of(report.planned, compared.policies()[p], p));
        result.graphs.push_back(std::move(report.planned.operators));
        for (Value &value : result.graphs.back().values) {
            value.order.clear();  // it is another one under every policy
        }
        result.machine = report.planned.machine;
    }
    const std::vector<Array> inputs = NetworkInputs(networks[0].artifact(), {}, 1).make(0);
    const auto recorded =
        record_in_turns(networks, inputs, runs, "timing every group of " + result.model, progress);
    for (size_t n = 0; n < networks.size(); n++) {
        const std::vector<LaunchFacts> facts = launch_facts(networks[n]);
        for (size_t launch = 0; launch < samples[n].size(); launch++) {
            CostSample &sample = samples[n][launch];
            if (sample.members.empty()) {
                continue;
            }
            sample.label = facts[launch].label;
            sample.bytes =
                static_cast<double>(facts[launch].bytes_read + facts[launch].bytes_written);
            sample.ms = median_launch_ms(recorded[n], launch);
            result.samples.push_back(std::move(sample));
        }
    }
    return result;
}

std::vector<double> predicted_ms(const SampledNetwork &network, const Machine &machine) {
    std::vector<OperatorGraph> graphs = network.graphs;
    std::vector<std::unique_ptr<AnalyticCost>> costs;
    for (OperatorGraph &graph : graphs) {
        if (machine != network.machine) {
            estimate_nests(graph, machine);
        }
        costs.push_back(std::make_unique<AnalyticCost>(graph, machine));
    }
    std::vector<double> predicted;
    for (const CostSample &sample : network.samples) {
        std::vector<int> members;
        for (const std::string &member : sample.members) {
            members.push_back(graphs.at(sample.graph).index_of(member));
        }
        std::sort(members.begin(), members.end());
        const GroupPrice price = costs.at(sample.graph)->price(members);
        predicted.push_back(price.refused.empty() ? machine.milliseconds(price.cycles)
                                                  : std::numeric_limits<double>::infinity());
    }
    return predicted;
}

}  // namespace emulsion
