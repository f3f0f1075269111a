// Why a stage is computed where it is, for people.
#pragma once

#include "fusion/image/decisions.h"
#include "fusion/plan.h"

namespace emulsion {

PlannedReasons reasons_of(const ImageDecisions &decisions, int stage);

}  // namespace emulsion
