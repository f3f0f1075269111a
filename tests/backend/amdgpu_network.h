// Networks compiled for AMD GPUs, with what `--emit kernels` writes about them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "backend/files.h"

namespace emulsion::test {

class AmdgpuNetwork {
public:
    // A network of the zoo, for chips such as "gfx906,gfx1100".
    AmdgpuNetwork(const std::string &name, const std::string &chips);

    const std::filesystem::path &folder() const { return folder_; }
    // Kernels of a unit for a chip, by KERNEL.CHIP.json.
    std::vector<nlohmann::json> kernels(const std::string &unit, const std::string &chip) const;
    std::string code_object(const std::string &unit, const std::string &chip) const;
    // launches.json, and the launches of manifest.json.
    nlohmann::json launches() const;
    nlohmann::json manifest_launches() const;

private:
    std::filesystem::path emitted() const { return folder_ / "emit" / "kernels"; }

    TemporaryFolder base_;
    std::filesystem::path folder_;
};

}  // namespace emulsion::test
