// Files of this repository that go into every artifact, as text (see emulsion_embed() in cmake/).
#pragma once

#include <string_view>

namespace emulsion {

std::string_view api_header_template();    // backend/api.h.in
std::string_view api_source_template();    // backend/x86/api.c.in
std::string_view runtime_tables_header();  // runtime/tables.h

}  // namespace emulsion
