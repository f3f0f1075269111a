#include "frontend/lower/plugin.h"

#include <Halide.h>

#include <filesystem>

#include "fusion/error.h"

namespace emulsion {

std::string gao2025_path() {
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    return (program.parent_path().parent_path() / "lib" / "libautoschedule_gao2025.so").string();
}

void load_gao2025() {
    static bool loaded = false;
    if (loaded) {
        return;
    }
    const std::string path = gao2025_path();
    if (!std::filesystem::exists(path)) {
        throw failure("the autoscheduler plugin is missing: '" + path + "'");
    }
    Halide::load_plugin(path);
    loaded = true;
}

Halide::AutoschedulerParams gao2025_applying(const Plan &plan) {
    return {"Gao2025", {{"plan", to_json(plan)}, {"exact_estimates", "true"}}};
}

}  // namespace emulsion
