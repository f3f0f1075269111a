// What may follow what, by mapping types: the prior of DNNFusion (Niu et al., PLDI 2021, table 3), as
// data. Legality is another matter (fusion/legality.h), and so is the price.
#pragma once

#include "fusion/mapping_type.h"

namespace emulsion {

enum class Verdict {
    Fuse,  // always worth it
    Ask,   // the cost model knows
    Never,  // DNNFusion does not; here a producer at a tile of its consumer is one more thing to price
};

struct FusionRule {
    MappingType result = MappingType::Opaque;
    Verdict verdict = Verdict::Never;
};

// An operator of type `producer`, read by an edge of type `edge`. Opaque ones are never fused.
FusionRule fusion_rule(MappingType producer, MappingType edge);

}  // namespace emulsion
