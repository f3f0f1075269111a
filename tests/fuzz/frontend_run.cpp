#include "tests/fuzz/frontend_run.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "frontend/graph/pass.h"
#include "frontend/lower/load_network.h"
#include "frontend/lower/network.h"

namespace emulsion::fuzz {

namespace {

// Plans must not depend on the machine that looks for mistakes.
constexpr const char *kTarget = "x86-64-linux-avx2-f16c-fma-sse41";

// Expansion of functions must not make one input slow: there are many.
LoadLimits limits() {
    LoadLimits limits;
    limits.nodes = 500;
    return limits;
}

PlanOptions plan_options() {
    PlanOptions options;
    options.target = kTarget;
    options.threads = 2;
    return options;
}

// The sentence of an error, which has to be one.
std::string sentence(const Error &error) {
    const std::string text = error.what();
    if (text.empty() || text.find('\n') != std::string::npos) {
        throw std::logic_error("an error that is not one sentence: " + text);
    }
    return text;
}

}  // namespace

std::string plan(Graph graph) {
    try {
        plan_network(run_passes(std::move(graph)), plan_options());
        return "";
    } catch (const Error &error) {
        return sentence(error);
    }
}

FrontendRun::FrontendRun() {
    folder_ = (std::filesystem::temp_directory_path() / "emulsion-fuzz-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    std::ofstream(folder_ + "/" + kExternalFile, std::ios::binary)
        << std::string(kExternalBytes, '\x01');
}

FrontendRun::~FrontendRun() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string FrontendRun::operator()(const std::string &bytes) const {
    const std::string path = folder_ + "/model.onnx";
    std::ofstream(path, std::ios::binary) << bytes;
    try {
        LoadOptions options;
        options.limits = limits();
        plan_network(load_network(path, options), plan_options());  // also of what refusals leave
        return "";
    } catch (const Error &error) {
        return sentence(error);
    }
}

}  // namespace emulsion::fuzz
