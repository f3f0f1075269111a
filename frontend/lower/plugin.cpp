#include "frontend/lower/plugin.h"

#include <Halide.h>

#include <filesystem>

#include "autoscheduler/refusal.h"
#include "fusion/error.h"

namespace emulsion {

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

Halide::AutoSchedulerResults apply_gao2025(Halide::Pipeline &pipeline, const Halide::Target &target,
                                           const Plan &plan) {
    try {
        return pipeline.apply_autoscheduler(
            target, {"Gao2025", {{"plan", to_json(plan)}, {"exact_estimates", "true"}}});
    } catch (const Halide::CompileError &error) {
        const std::string text = error.what();
        if (!text.starts_with(kRefusal)) {
            throw;
        }
        throw Error(text.substr(kRefusal.size()));
    }
}

}  // namespace emulsion
