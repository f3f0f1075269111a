#include "backend/artifact_reader.h"

#include <cassert>
#include <cstring>
#include <exception>
#include <optional>

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/artifact_folder.h"
#include "backend/box_copy.h"
#include "backend/files.h"
#include "fusion/error.h"
#include "fusion/json_document.h"
#include "fusion/layout.h"
#include "runtime/tables.h"

namespace emulsion {

namespace fs = std::filesystem;

int64_t TensorInfo::element_count() const { return emulsion::element_count(shape); }

int64_t TensorInfo::bytes() const { return element_count() * size_of(type); }

std::vector<std::byte> LaunchEvent::dense() const {
    std::vector<std::byte> out(static_cast<size_t>(tensor.bytes()));
    const int bytes = size_of(tensor.type);
    const auto dimensions =
        buffer_dimensions(tensor.shape, row_major(static_cast<int>(strides.size())));
    std::vector<BoxDimension> box;
    for (size_t d = 0; d < strides.size(); d++) {
        box.push_back({tensor.shape[d], strides[d], dimensions[d].stride});
    }
    const auto *from = static_cast<const std::byte *>(data);
    if (block_axis < 0) {
        copy_box(box, bytes, from, out.data());
        return out;
    }
    const auto axis = static_cast<size_t>(block_axis);
    for (int64_t i = 0; i < tensor.shape[axis]; i++) {
        std::vector<BoxDimension> slice = box;
        slice[axis].extent = 1;
        const int64_t at = i / block * strides[axis] + i % block;
        copy_box(std::move(slice), bytes, from + at * bytes,
                 out.data() + i * dimensions[axis].stride * bytes);
    }
    return out;
}

namespace {

TensorInfo tensor_info(const EmulsionTensor &tensor) {
    return {tensor.name, static_cast<DataType>(tensor.type),
            std::vector<int64_t>(tensor.shape, tensor.shape + tensor.rank)};
}

// What an observer's exception meets on its way is C.
struct Observation {
    const std::function<void(const LaunchEvent &)> *observer;
    std::exception_ptr exception;
};

void observe(const EmulsionEvent *event, void *user) {
    auto *observation = static_cast<Observation *>(user);
    if (observation->exception) {
        return;
    }
    try {
        (*observation->observer)(
            {event->launch, event->label, event->seconds, event->fill_seconds,
             tensor_info(event->tensor),
             std::vector<int64_t>(event->strides, event->strides + event->tensor.rank),
             event->block_axis, event->block, event->data});
    } catch (...) {
        observation->exception = std::current_exception();
    }
}

}  // namespace

// The functions of the C API. Its structures are those of the runtime's tables by other names.
struct Artifact::Library {
    std::string folder, name, manifest;
    void *handle = nullptr;
    EmulsionContext *context = nullptr;
    std::vector<TensorInfo> inputs, outputs;
    struct Fallback {
        int launches = 0;
        int64_t arena_bytes = 0, live_bytes = 0;
    };
    std::optional<Fallback> fallback;  // where there is one
    bool fell_back = false;

    const char *(*error_text)(int);
    int (*open)(const char *, EmulsionContext **);
    const char *(*open_error)();
    void (*close)(EmulsionContext *);
    int (*input_count)();
    int (*output_count)();
    const EmulsionTensor *(*input_info)(int);
    const EmulsionTensor *(*output_info)(int);
    int (*run_observed)(EmulsionContext *, const void *const *, void *const *, EmulsionObserver,
                        void *);
    const char *(*last_error)(const EmulsionContext *);
    int (*on_gpu)(const EmulsionContext *);
    int (*launch_count)();
    int64_t (*arena_bytes)();
    int64_t (*live_bytes)();
    void (*set_threads)(int);
    int (*threads)();

    explicit Library(const std::string &path);
    ~Library();
    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    template<typename Function>
    void find(Function *&function, const char *suffix);
    void find_all();
    void read_manifest();
    void load();
    void open_context();
    void close_context();
    void check(int code) const;
};

template<typename Function>
void Artifact::Library::find(Function *&function, const char *suffix) {
    void *symbol = dlsym(handle, (name + "_" + suffix).c_str());
    if (symbol == nullptr) {
        throw Error(fmt::format("the library does not have the function {}_{}", name, suffix),
                    {.file = folder});
    }
    function = reinterpret_cast<Function *>(symbol);
}

void Artifact::Library::find_all() {
    find(error_text, "error_text");
    find(open, "open");
    find(open_error, "open_error");
    find(close, "close");
    find(input_count, "input_count");
    find(output_count, "output_count");
    find(input_info, "input_info");
    find(output_info, "output_info");
    find(run_observed, "run_observed");
    find(last_error, "last_error");
    find(on_gpu, "on_gpu");
    find(launch_count, "launch_count");
    find(arena_bytes, "arena_bytes");
    find(live_bytes, "live_bytes");
    find(set_threads, "set_threads");
    find(threads, "threads");
}

void Artifact::Library::load() {
    const fs::path base = fs::absolute(folder);
    const std::string library = (base / ("lib" + name + ".so")).string();
    handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        throw Error(fmt::format("the artifact's library can't be loaded: {}", dlerror()),
                    {.file = folder});
    }
    find_all();
    open_context();
    for (int i = 0; i < input_count(); i++) {
        inputs.push_back(tensor_info(*input_info(i)));
    }
    for (int i = 0; i < output_count(); i++) {
        outputs.push_back(tensor_info(*output_info(i)));
    }
}

void Artifact::Library::open_context() {
    const fs::path weights = fs::path(folder) / (name + ".weights");
    const int code = open(fs::absolute(weights).c_str(), &context);
    if (code != EMULSION_OK) {
        const std::string why = open_error();
        if (code == EMULSION_NO_DRIVER || code == EMULSION_NO_DEVICE || code == EMULSION_DEVICE) {
            throw failure(why.empty() ? error_text(code) : why, {.file = folder});
        }
        throw Error(why.empty() ? error_text(code) : why, {.file = weights.string()},
                    code == EMULSION_MEMORY ? ErrorKind::Failed : ErrorKind::Refused);
    }
    fell_back = fallback && on_gpu(context) == 0;
}

void Artifact::Library::read_manifest() {
    const fs::path file = fs::path(folder) / "manifest.json";
    manifest = read_file(file);
    const auto root = read_json_document("emulsion-manifest", manifest, file.string());
    try {
        name = root.value("name", "");
        if (const auto other = root.find("fallback"); other != root.end()) {
            fallback = {static_cast<int>(other->at("launches").size()), other->at("arena_bytes"),
                        other->at("live_bytes")};
        }
    } catch (const nlohmann::json::exception &error) {
        throw Error(fmt::format("is not as 'emulsion compile' writes it: {}", error.what()),
                    {.file = file.string()});
    }
}

void Artifact::Library::close_context() {
    if (context != nullptr) {
        close(context);
        context = nullptr;
    }
}

Artifact::Library::Library(const std::string &path) : folder(path) {
    if (!is_artifact(folder)) {
        throw Error("is not an artifact (a folder that 'emulsion compile' wrote)",
                    {.file = folder});
    }
    read_manifest();
    try {
        load();
    } catch (...) {
        if (handle != nullptr) {
            dlclose(handle);
        }
        throw;
    }
}

Artifact::Library::~Library() {
    close_context();
    dlclose(handle);
}

void Artifact::Library::check(int code) const {
    if (code == EMULSION_OK) {
        return;
    }
    const std::string detail = code == EMULSION_KERNEL ? last_error(context) : "";
    throw failure(detail.empty() ? error_text(code) : "a kernel failed: " + detail,
                  {.file = folder});
}

Artifact::Artifact(const std::string &folder) : library_(std::make_unique<Library>(folder)) {}
Artifact::~Artifact() = default;
Artifact::Artifact(Artifact &&) noexcept = default;
Artifact &Artifact::operator=(Artifact &&) noexcept = default;

const std::string &Artifact::name() const { return library_->name; }
const std::string &Artifact::manifest() const { return library_->manifest; }
const std::vector<TensorInfo> &Artifact::inputs() const { return library_->inputs; }
const std::vector<TensorInfo> &Artifact::outputs() const { return library_->outputs; }

void Artifact::run(std::span<const void *const> inputs, std::span<void *const> outputs) {
    assert(inputs.size() == library_->inputs.size());
    assert(outputs.size() == library_->outputs.size());
    library_->check(
        library_->run_observed(library_->context, inputs.data(), outputs.data(), nullptr, nullptr));
}

void Artifact::run_observed(std::span<const void *const> inputs, std::span<void *const> outputs,
                            const std::function<void(const LaunchEvent &)> &observer) {
    assert(inputs.size() == library_->inputs.size());
    assert(outputs.size() == library_->outputs.size());
    Observation observation{&observer, nullptr};
    const int code = library_->run_observed(library_->context, inputs.data(), outputs.data(),
                                            observe, &observation);
    if (observation.exception) {
        std::rethrow_exception(observation.exception);
    }
    library_->check(code);
}

void Artifact::release() { library_->close_context(); }
void Artifact::reopen() {
    library_->close_context();
    library_->open_context();
}

void Artifact::set_threads(int count) { library_->set_threads(count); }
int Artifact::threads() const { return library_->threads(); }
bool Artifact::fell_back() const { return library_->fell_back; }
int Artifact::launch_count() const {
    return fell_back() ? library_->fallback->launches : library_->launch_count();
}
int64_t Artifact::arena_bytes() const {
    return fell_back() ? library_->fallback->arena_bytes : library_->arena_bytes();
}
int64_t Artifact::live_bytes() const {
    return fell_back() ? library_->fallback->live_bytes : library_->live_bytes();
}

}  // namespace emulsion
