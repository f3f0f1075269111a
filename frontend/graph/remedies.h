// What a user can do about what is refused, where the place that refuses does not say it itself.
#pragma once

#include <string>

#include "fusion/error.h"

namespace emulsion {

// The refusal of an operator that has no implementation, with what stands in its place most often.
Error unsupported_operator(const std::string &domain, const std::string &type,
                           const ErrorPlace &place);

// For a form of operator `type` that it does not take; of an input or a weight where that is empty.
std::string remedy_for_form(const std::string &type);

}  // namespace emulsion
