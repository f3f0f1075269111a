#include "frontend/lower/load_network.h"

#include <utility>

#include "frontend/lower/check_operators.h"

namespace emulsion {

namespace {

// The passes and the operators' checks, of what could be loaded.
void examine(ImportedModel &model, const LoadOptions &options, std::vector<PassTime> *times) {
    SupportReport &report = *model.report;
    try {
        model.graph = run_passes(std::move(model.graph), options.disabled_passes, times);
    } catch (const Error &error) {
        if (report.clean()) {
            throw;
        }
        report.refuse(error);
        throw UnsupportedModel(model.report);
    }
    check_operators(model.graph, options.exact, report);
}

template<typename Source>
ImportedModel examined(const std::string &name, const Source &source, const LoadOptions &options,
                       std::vector<PassTime> *times) {
    return naming_file(name, [&] {
        ImportedModel model = import_model(source, options.limits, options.shapes);
        examine(model, options, times);
        return model;
    });
}

Graph graph_of(ImportedModel model) {
    if (!model.report->clean()) {
        throw UnsupportedModel(model.report);
    }
    return std::move(model.graph);
}

}  // namespace

ImportedModel examine_model(const std::string &path, const LoadOptions &options,
                            std::vector<PassTime> *times) {
    return examined(path, path, options, times);
}

ImportedModel examine_model(const ModelBytes &bytes, const LoadOptions &options,
                            std::vector<PassTime> *times) {
    return examined(bytes.name, bytes, options, times);
}

Graph load_network(const std::string &path, const LoadOptions &options,
                   std::vector<PassTime> *times) {
    return graph_of(examine_model(path, options, times));
}

Graph load_network(const ModelBytes &bytes, const LoadOptions &options,
                   std::vector<PassTime> *times) {
    return graph_of(examine_model(bytes, options, times));
}

}  // namespace emulsion
