// Layouts that a contraction wants of its constants: columns innermost, so that vectors along them lie together. Where
// columns can be padded, in whole blocks: the vectors of one register block are one piece of memory, aligned, and may be
// read past the last column.
#pragma once

#include <map>
#include <string>

#include "autoscheduler/templates/support/register_tile.h"
#include "autoscheduler/templates/support/roles.h"

namespace emulsion {

// True if every constant-free read of the reduction along the columns can be padded: all tensors
// that are read along the column axis are constants, and by the plain column variable.
bool can_pad_columns(const NestSubject &subject, const ReductionRoles &roles);

// The layouts, by tensor name: axis order (column blocks, other axes, window, channels), lanes of a block innermost; without
// RegisterTile::padded (other axes, window, channels, columns).
std::map<std::string, Layout>
column_constants(const NestSubject &subject, const ReductionRoles &roles, const RegisterTile &tile);

}  // namespace emulsion
