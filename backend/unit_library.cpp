#include "backend/unit_library.h"

#include <filesystem>
#include <map>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "backend/files.h"
#include "backend/temporary_folder.h"
#include "backend/x86/link.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kCall = "units_call";
constexpr const char *kOpen = "units_open";
constexpr const char *kClose = "units_close";

// A function that calls the unit of a number, and two that start and end the thread pool.
std::string source(const std::vector<const PlannedLaunch *> &units) {
    std::string declarations, cases;
    for (size_t i = 0; i < units.size(); i++) {
        const std::string key = unit_key(units[i]->unit);
        std::string types = "void *", arguments = "0";  // without a user context
        for (size_t a = 0; a <= units[i]->unit.inputs.size(); a++) {
            types += ", void *";
            arguments += fmt::format(", a[{}]", a);
        }
        declarations += fmt::format("int {}({});\n", key, types);
        cases += fmt::format("    case {}: return {}({});\n", i, key, arguments);
    }
    return declarations +
           "void emulsion_acquire_pool(int);\n"
           "int emulsion_release_pool(void);\n"
           "void emulsion_set_threads(int);\n" +
           fmt::format(
               "void {}(int threads) {{\n    emulsion_acquire_pool(threads);\n"
               "    emulsion_set_threads(threads);\n}}\n"
               "int {}(void) {{ return emulsion_release_pool(); }}\n"
               "int {}(int unit, void **a) {{\n    switch (unit) {{\n{}    }}\n    return -1;\n}}\n",
               kOpen, kClose, kCall, cases);
}

template<typename Function>
Function *function(void *library, const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
}

}  // namespace

struct UnitLibrary::Loaded {
    TemporaryFolder folder{fs::temp_directory_path() / "units"};
    BuiltUnits built;
    std::vector<int> number;  // of the unit of each launch
    void *library = nullptr;

    ~Loaded() {
        if (library != nullptr) {
            function<int()>(library, kClose)();
            dlclose(library);
        }
    }
};

UnitLibrary::UnitLibrary(const PlannedNetwork &network, const CompileOptions &options)
    : loaded_(std::make_unique<Loaded>()) {
    if (network.on_gpu) {
        throw Error("units of a GPU can't be called by themselves; give a target that is a CPU");
    }
    Loaded &loaded = *loaded_;
    const fs::path scratch = loaded.folder.path();
    loaded.built = build_units(network, options, scratch, {});
    refuse_errors(loaded.built.errors);

    std::map<std::string, int> numbers;
    std::vector<const PlannedLaunch *> units;
    LinkInputs link{.name = "units",
                    .tables = {scratch / "units.c"},
                    .units = {},
                    .halide_runtime = loaded.built.halide_runtime,
                    .gpu_runtime = {},
                    .scratch = scratch,
                    .sanitized = network.target.find("-asan") != std::string::npos,
                    .exports = {kCall, kOpen, kClose}};
    for (const PlannedLaunch &launch : network.launches) {
        const std::string key = unit_key(launch.unit);
        const auto [known, first] = numbers.emplace(key, static_cast<int>(units.size()));
        if (first) {
            units.push_back(&launch);
            link.units.push_back(loaded.built.units.at(key).object);
        }
        loaded.number.push_back(known->second);
    }
    write_file(link.tables.front(), source(units));
    const fs::path library = scratch / "libunits.so";
    link_artifact(link, library, {});
    loaded.library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded.library == nullptr) {
        throw failure(fmt::format("the library of the units can't be loaded: {}", dlerror()));
    }
    function<void(int)>(loaded.library, kOpen)(options.plan.threads);
}

UnitLibrary::~UnitLibrary() = default;

const BuiltUnits &UnitLibrary::built() const { return loaded_->built; }

void UnitLibrary::call(size_t launch, std::span<void *const> buffers) const {
    std::vector<void *> arguments(buffers.begin(), buffers.end());
    const int error = function<int(int, void **)>(loaded_->library, kCall)(
        loaded_->number.at(launch), arguments.data());
    if (error != 0) {
        throw failure(fmt::format("a unit ended with error {}", error));
    }
}

}  // namespace emulsion
