#include "backend/emit_launches.h"

#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "fusion/json_document.h"

namespace emulsion {

using nlohmann::json;

namespace {

class Writer {
public:
    Writer(const Graph &graph, const Program &program) : graph_(graph), program_(program) {}

    json all() const {
        json launches = json::array();
        for (const Launch &launch : program_.launches) {
            json arguments = json::array();
            json halos = json::array();
            for (const int view : launch.views) {
                arguments.push_back(argument(view));
            }
            for (const HaloFill &fill : launch.fills) {
                json before = json::array();
                json after = json::array();
                for (const Margin &margin : fill.margin) {
                    before.push_back(margin.before);
                    after.push_back(margin.after);
                }
                halos.push_back(
                    {{"argument", argument(fill.view)},
                     {"before", before},
                     {"after", after},
                     // JSON has no infinities, as in plans (fusion/plan_json.cpp).
                     {"value", fill.value < -1e300 ? json("lowest") : json(fill.value)}});
            }
            launches.push_back({{"label", launch.label},
                                {"unit", launch.unit},
                                {"arguments", arguments},
                                {"halos", halos}});
        }
        return {{"arena_bytes", program_.arena_bytes},
                {"weights_bytes", program_.device_weights_bytes},
                {"inputs", callers(program_.inputs, program_.device_inputs)},
                {"outputs", callers(program_.outputs, program_.device_outputs)},
                {"launches", launches},
                {"copies", copies()}};
    }

private:
    json argument(int index) const {
        const BufferView &view = program_.views.at(static_cast<size_t>(index));
        int64_t offset = view.offset;
        // The caller's tensors lie in the arena too.
        if (view.storage == Storage::Input || view.storage == Storage::Output) {
            const auto &places =
                view.storage == Storage::Input ? program_.device_inputs : program_.device_outputs;
            offset += places.at(static_cast<size_t>(view.index));
        }
        json dimensions = json::array();
        for (const BufferDimension &d : view.dimensions) {
            dimensions.push_back({{"min", d.min}, {"extent", d.extent}, {"stride", d.stride}});
        }
        return {{"tensor", graph_.tensor(view.tensor).name},
                {"type", to_string(view.type)},
                {"storage", to_string(view.storage)},
                {"offset", offset},
                {"dimensions", dimensions}};
    }

    json copies() const {
        json list = json::array();
        for (const OutputCopy &copy : program_.copies) {
            list.push_back({{"output", copy.output},
                            {"argument", argument(copy.view)},
                            {"bytes", copy.bytes}});
        }
        return list;
    }

    json callers(const std::vector<TensorId> &tensors, const std::vector<int64_t> &offsets) const {
        json list = json::array();
        for (size_t i = 0; i < tensors.size(); i++) {
            const Tensor &tensor = graph_.tensor(tensors[i]);
            list.push_back({{"tensor", tensor.name},
                            {"type", to_string(tensor.type)},
                            {"shape", tensor.extents()},
                            {"offset", offsets.at(i)}});
        }
        return list;
    }

    const Graph &graph_;
    const Program &program_;
};

}  // namespace

void emit_launches(const Graph &graph, const Program &program, const std::filesystem::path &file) {
    write_file(file, json_document("emulsion-launches", Writer(graph, program).all()));
}

}  // namespace emulsion
