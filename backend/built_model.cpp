#include "backend/built_model.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "backend/emit_launches.h"
#include "backend/record_nests.h"
#include "frontend/lower/compute_constants.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

void refuse_failed(const ModelUnits &units) {
    std::vector<Error> errors;
    for (const BuiltUnits &network : units) {
        errors.insert(errors.end(), network.errors.begin(), network.errors.end());
    }
    refuse_errors(errors);
}

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

std::vector<ModelUnits> units_of_models(std::span<const PlannedModel *const> models,
                                        const CompileOptions &options, const fs::path &scratch,
                                        const fs::path &emit) {
    std::vector<const PlannedNetwork *> networks;
    for (const PlannedModel *model : models) {
        for (const PlannedNetwork &network : model->networks) {
            networks.push_back(&network);
        }
    }
    std::vector<BuiltUnits> built = build_units(networks, options, scratch, emit);
    std::vector<ModelUnits> units;
    auto next = built.begin();
    for (const PlannedModel *model : models) {
        const auto end = next + static_cast<std::ptrdiff_t>(model->networks.size());
        units.emplace_back(std::make_move_iterator(next), std::make_move_iterator(end));
        next = end;
    }
    return units;
}

BuiltModel built_model(const PlannedModel &model, ModelUnits units) {
    return naming_file(model.model.file, [&] {
        refuse_failed(units);
        BuiltModel built = placed(model);
        for (size_t n = 0; n < built.size(); n++) {
            built[n].units = std::move(units[n]);
            record_nests(built[n].planned, built[n].units);
        }
        return built;
    });
}

BuiltModel built_model(const PlannedModel &model, const CompileOptions &options,
                       const ArtifactFolder &folder) {
    const fs::path emit = folder.path() / "emit";
    const bool kernels = options.emit.count("kernels") != 0;
    if (!options.emit.empty()) {
        fs::create_directories(kernels ? emit / "kernels" : emit);
    }
    const PlannedModel *const one = &model;
    std::vector<ModelUnits> units = naming_file(model.model.file, [&] {
        return units_of_models(std::span(&one, 1), options, folder.scratch(), emit);
    });
    BuiltModel built = built_model(model, std::move(units.front()));
    if (kernels) {
        emit_launches(built[0].planned.graph, built[0].linked.program,
                      emit / "kernels" / "launches.json");
    }
    return built;
}

}  // namespace emulsion
