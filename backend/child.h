// Work done in a forked child, so that a crash, endless work or state that stays behind is the child's
// alone.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace emulsion {

// What `work` returns, when it is called in a child of this process. Errors of any kind, also that the
// child died or took longer than `timeout` seconds, come back as error_message; `what` names the work
// in them ("compiling").
nlohmann::json answer_in_child(const std::function<nlohmann::json()> &work, double timeout,
                               const std::string &what);

}  // namespace emulsion
