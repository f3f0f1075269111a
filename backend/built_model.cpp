#include "backend/built_model.h"

#include <filesystem>

#include "backend/emit_launches.h"
#include "backend/interrupt.h"
#include "backend/record_nests.h"
#include "frontend/lower/compute_constants.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

BuiltModel placed(const PlannedModel &model) {
    BuiltModel built;
    for (const PlannedNetwork &network : model.networks) {
        BuiltNetwork &each = built.emplace_back(BuiltNetwork{network, {}, {}});
        compute_constants(each.planned);
        each.linked = place(each.planned);
    }
    if (built.size() > 1) {
        share_weights_file(built[0].linked, built[1].linked);
    }
    return built;
}

}  // namespace

BuiltModel built_model(const PlannedModel &model, const CompileOptions &options,
                       const ArtifactFolder &folder) {
    return naming_file(model.model.file, [&] {
        BuiltModel built = placed(model);
        check_interrupted();
        const fs::path emit = folder.path() / "emit";
        const bool kernels = options.emit.count("kernels") != 0;
        if (!options.emit.empty()) {
            fs::create_directories(kernels ? emit / "kernels" : emit);
        }
        std::vector<Error> errors;
        for (BuiltNetwork &network : built) {
            network.units = build_units(network.planned, options, folder.scratch(), emit);
            errors.insert(errors.end(), network.units.errors.begin(), network.units.errors.end());
            record_nests(network.planned, network.units);
        }
        refuse_errors(errors);
        if (kernels) {
            emit_launches(built[0].planned.graph, built[0].linked.program,
                          emit / "kernels" / "launches.json");
        }
        return built;
    });
}

}  // namespace emulsion
