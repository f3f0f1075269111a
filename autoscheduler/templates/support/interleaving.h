// Neighbouring columns that read places of their own: x / 2 and x % 2. Vectors along such columns would gather; as many
// vectors as there are rests, of every so-manieth column each, read what lies side by side, and are stored interleaved.
#pragma once

#include "autoscheduler/templates/template.h"

namespace emulsion {

// By what an index of the result's definition divides axis `axis` of it, where the axis is a multiple of that; else 1.
int64_t interleaved_columns(const NestSubject &subject, int axis);

}  // namespace emulsion
