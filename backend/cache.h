// Compiled units by key, kept between runs. Whatever happens to the folder (deleted, damaged, full,
// not writable, used by several processes at once), the worst is that a unit is compiled again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace emulsion {

class UnitCache {
public:
    static constexpr int64_t kDefaultBytes = int64_t{1} << 30;

    // Entries made by another build of the compiler are not seen: `build` names this one. A cache
    // whose folder is empty ("") holds nothing.
    UnitCache(std::filesystem::path folder, const std::string &build,
              int64_t max_bytes = kDefaultBytes);

    // Why nothing can be kept in the folder, or "".
    std::string problem() const;
    // The object's bytes, or nothing. A damaged entry is removed.
    std::optional<std::string> find(const std::string &key) const;
    void store(const std::string &key, std::string_view object) const;
    // Removes the entries that were not used for longest until the rest fits.
    void trim() const;

private:
    std::filesystem::path entry(const std::string &key) const;

    std::filesystem::path folder_;
    std::filesystem::path build_folder_;
    int64_t max_bytes_;
};

// $XDG_CACHE_HOME/emulsion or ~/.cache/emulsion; "" where neither is known.
std::filesystem::path default_cache_folder();

// Identifies a build of the compiler: hash of the worker program's and the plugin's bytes.
std::string compiler_build(const std::filesystem::path &program);

}  // namespace emulsion
