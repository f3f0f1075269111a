// What a campaign tried and found, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/graphs/campaign.h"

namespace emulsion::test {

void print_summary(const CampaignEnd &end, bool table);
nlohmann::json to_json(const CampaignEnd &end, const CampaignOptions &options);

}  // namespace emulsion::test
