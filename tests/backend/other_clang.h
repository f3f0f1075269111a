// Programs that stand for clang-19 and are it but for one thing.
#pragma once

#include <filesystem>
#include <string>

namespace emulsion::test {

// Calls itself another one when it is asked for its version. Both are written as `folder`/clang-19.
std::filesystem::path renamed_clang(const std::filesystem::path &folder);

// Gives every kernel this attribute; "amdgpu_num_vgpr(32)": no more vector registers than that.
std::filesystem::path clang_with_attribute(const std::filesystem::path &folder,
                                           const std::string &attribute);

}  // namespace emulsion::test
