#include "backend/unit_library.h"

#include <cassert>
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
constexpr const char *kCopy = "units_copy";
constexpr const char *kCompute = "units_compute";

// units_copy(to, from, bytes, pieces) and units_compute(pieces): in parallel, as a loop nest's tasks are.
constexpr const char *kReferenceSource = R"(
void *memcpy(void *, const void *, unsigned long);
int halide_do_par_for(void *, int (*)(void *, int, unsigned char *), int, int, unsigned char *);
struct copied {
    char *to;
    const char *from;
    unsigned long bytes, pieces;
};
static int copy_piece(void *context, int piece, unsigned char *closure) {
    const struct copied *c = (const struct copied *)closure;
    const unsigned long size = (c->bytes / c->pieces + 64) / 64 * 64, begin = size * piece;
    (void)context;
    if (begin < c->bytes) {
        memcpy(c->to + begin, c->from + begin, c->bytes - begin < size ? c->bytes - begin : size);
    }
    return 0;
}
void units_copy(void *to, const void *from, unsigned long bytes, int pieces) {
    struct copied c = {to, from, bytes, pieces};
    halide_do_par_for(0, copy_piece, 0, pieces, (unsigned char *)&c);
}
typedef float vector __attribute__((vector_size(16)));
static int compute_piece(void *context, int piece, unsigned char *closure) {
    vector x[12];
    const vector factor = {0.5f, 0.5f, 0.5f, 0.5f};
    (void)context;
    (void)closure;
    for (int i = 0; i < 12; i++) x[i] = factor * (float)piece;
    for (int k = 0; k < 500; k++) {
#pragma GCC unroll 12
        for (int i = 0; i < 12; i++) x[i] = x[i] * factor + factor;
    }
    for (int i = 1; i < 12; i++) x[0] += x[i];
    __asm__ volatile("" : : "m"(x[0]));
    return 0;
}
void units_compute(int pieces) { halide_do_par_for(0, compute_piece, 0, pieces, 0); }
)";

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
    return declarations + kReferenceSource +
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

constexpr int kPiecesPerThread = 8;  // about as many tasks as a loop nest has

template<typename Function>
Function *function(void *library, const char *name) {
    return reinterpret_cast<Function *>(dlsym(library, name));
}

}  // namespace

struct UnitLibrary::Loaded {
    TemporaryFolder folder{fs::temp_directory_path() / "units"};
    BuiltUnits built;
    std::vector<int> number;  // of the unit of each launch
    int pieces = 1;           // that memory is copied in, and of what is computed
    void *library = nullptr;
    int (*call)(int unit, void **arguments) = nullptr;
    void (*copy)(void *to, const void *from, unsigned long bytes, int pieces) = nullptr;
    void (*compute)(int pieces) = nullptr;

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
                    .exports = {kCall, kOpen, kClose, kCopy, kCompute}};
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
    loaded.call = function<int(int, void **)>(loaded.library, kCall);
    loaded.copy = function<void(void *, const void *, unsigned long, int)>(loaded.library, kCopy);
    loaded.compute = function<void(int)>(loaded.library, kCompute);
    function<void(int)>(loaded.library, kOpen)(options.plan.threads);
    loaded.pieces = options.plan.threads * kPiecesPerThread;
}

UnitLibrary::~UnitLibrary() = default;

const BuiltUnits &UnitLibrary::built() const { return loaded_->built; }

void UnitLibrary::call(size_t launch, std::span<void *const> buffers) const {
    std::vector<void *> arguments(buffers.begin(), buffers.end());
    const int error = loaded_->call(loaded_->number.at(launch), arguments.data());
    if (error != 0) {
        throw failure(fmt::format("a unit ended with error {}", error));
    }
}

void UnitLibrary::copy(std::span<std::byte> to, std::span<const std::byte> from) const {
    assert(to.size() == from.size());
    loaded_->copy(to.data(), from.data(), to.size(), loaded_->pieces);
}

void UnitLibrary::compute() const { loaded_->compute(loaded_->pieces); }

}  // namespace emulsion
