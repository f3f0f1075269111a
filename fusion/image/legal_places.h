// Where a stage of an image graph may be computed, given the places of what reads it.
#pragma once

#include "fusion/image/decided_stages.h"
#include "fusion/image/stage_facts.h"
#include "fusion/machine.h"

namespace emulsion {

class LegalPlaces {
public:
    LegalPlaces(DecidedStages &stages, const StageFacts &facts, const CpuMachine &machine)
        : stages_(stages), facts_(facts), machine_(machine) {}

    // Elsewhere than whole and once.
    bool is_free(int i) const;
    bool can_inline(int i, const StageReaders &readers);
    // For a few vectors of the only one of `readers`.
    bool fits_registers(int i, const StageReaders &readers) const;

private:
    const ImageStage &stage(int i) const { return stages_.stage(i); }
    bool bounds_updates(int i, const StageReaders &readers) const;
    bool turns_updates(int i, const StageReaders &readers);
    bool is_turned_inside(int i, const StageReaders &readers);

    DecidedStages &stages_;
    const StageFacts &facts_;
    const CpuMachine &machine_;
};

}  // namespace emulsion
