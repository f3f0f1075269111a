// What a campaign tried and found, for people and as JSON.
#pragma once

#include "bench/json_file.h"
#include "tests/graphs/campaign.h"

namespace emulsion::test {

void print_summary(const CampaignEnd &end, bool table);
Json to_json(const CampaignEnd &end, const CampaignOptions &options);

}  // namespace emulsion::test
