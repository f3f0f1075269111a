#include "frontend/lower/network_plan.h"

#include <nlohmann/json.hpp>

#include "frontend/lower/structure_hash.h"
#include "frontend/lower/target.h"
#include "fusion/json_document.h"

namespace emulsion {

using nlohmann::json;

std::string network_plan_document(const Graph &graph, const PlannedNetwork &network,
                                  const PlanOptions &options) {
    const std::string fallback = target_choice(options.target).fallback;
    return json_document("emulsion-network-plan",
                         {{"structure", structure_hash(graph)},
                          {"target", network.target + (fallback.empty() ? "" : "," + fallback)},
                          {"threads", options.threads},
                          {"exact", options.exact},
                          {"machine", options.machine},
                          {"plan", json::parse(to_json(network.plan))}});
}

PlanOptions options_from_plan(const std::string &text, const std::string &file) {
    const json document = read_json_document("emulsion-network-plan", text, file);
    PlanOptions options;
    try {
        RecordedPlan recorded;
        recorded.file = file;
        recorded.structure = document.at("structure").get<std::string>();
        recorded.plan = plan_from_json(document.at("plan").dump());
        options.policy = recorded.plan.policy;
        options.target = document.at("target").get<std::string>();
        options.exact = document.at("exact").get<bool>();
        options.machine = document.at("machine").get<MachineConstants>();
        const json &threads = document.at("threads");
        if (!threads.is_number_unsigned() || threads.get<uint64_t>() < 1 ||
            threads.get<uint64_t>() > kMostThreads) {
            throw Error("the plan is for " + threads.dump() + " threads; at most " +
                        std::to_string(kMostThreads) + " are accepted");
        }
        options.threads = threads.get<int>();
        options.replay = std::make_shared<RecordedPlan>(std::move(recorded));
    } catch (const json::exception &e) {
        throw Error(std::string("the plan is not valid: ") + e.what(), {.file = file});
    } catch (const Error &e) {
        throw e.with_place({.file = file});
    }
    return options;
}

}  // namespace emulsion
