#include "backend/cache.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "backend/files.h"
#include "fusion/error.h"
#include "fusion/partial_file.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// An entry is the object, the hash of its bytes in hex, and this.
constexpr std::string_view kTrailer = "emulsion-unit-1\n";
constexpr size_t kHashDigits = 32;
// Trimming goes this far below the cap, so that it is not done every time.
constexpr double kTrimmed = 0.9;
struct Entry {
    fs::path path;
    fs::file_time_type used;
    int64_t bytes = 0;
};

std::vector<Entry> entries_in(const fs::path &folder) {
    std::vector<Entry> entries;
    std::error_code error;
    for (auto it = fs::recursive_directory_iterator(folder, error);
         !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        std::error_code gone;  // another process may remove files meanwhile
        const bool regular = it->is_regular_file(gone);
        const auto used = it->last_write_time(gone);
        const auto bytes = it->file_size(gone);
        if (regular && !gone) {
            entries.push_back({it->path(), used, static_cast<int64_t>(bytes)});
        }
    }
    return entries;
}

}  // namespace

UnitCache::UnitCache(fs::path folder, const std::string &build, int64_t max_bytes)
    : folder_(std::move(folder)), build_folder_(folder_.empty() ? fs::path() : folder_ / build),
      max_bytes_(max_bytes) {}

std::string UnitCache::problem() const {
    std::error_code error;
    if (!folder_.empty()) {
        fs::create_directories(build_folder_, error);
        if (!error && !fs::is_directory(build_folder_)) {
            error = std::make_error_code(std::errc::not_a_directory);
        }
        if (!error && access(build_folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
            error.assign(errno, std::generic_category());
        }
    }
    return error ? error.message() : "";
}

fs::path UnitCache::entry(const std::string &key) const { return build_folder_ / (key + ".o"); }

std::optional<std::string> UnitCache::find(const std::string &key) const {
    std::error_code error;
    if (folder_.empty() || !fs::exists(entry(key), error)) {
        return std::nullopt;
    }
    std::string bytes;
    try {
        bytes = read_file(entry(key));
    } catch (const Error &) {
        return std::nullopt;
    }
    const size_t extra = kHashDigits + kTrailer.size();
    const std::string_view all(bytes);
    if (all.size() < extra || !all.ends_with(kTrailer) ||
        all.substr(all.size() - extra, kHashDigits) !=
            hash_hex(all.substr(0, all.size() - extra))) {
        fs::remove(entry(key), error);
        return std::nullopt;
    }
    fs::last_write_time(entry(key), fs::file_time_type::clock::now(), error);
    bytes.resize(bytes.size() - extra);
    return bytes;
}

void UnitCache::store(const std::string &key, std::string_view object) const {
    if (folder_.empty()) {
        return;
    }
    std::error_code error;
    fs::create_directories(build_folder_, error);
    const std::string hash = hash_hex(object);
    const std::array<std::string_view, 3> parts = {object, hash, kTrailer};
    // A store that fails is a unit that is compiled again. trim() goes through the whole folder once.
    write_whole(entry(key), parts, PartialFile::Leftovers::Stay);
}

void UnitCache::trim() const {
    if (folder_.empty()) {
        return;
    }
    std::vector<Entry> entries = entries_in(folder_);
    std::error_code error;
    std::erase_if(entries, [&](const Entry &e) {
        const bool partial = is_partial_file(e.path.filename().native());
        if (partial) {
            remove_abandoned_file(e.path);
        }
        return partial;
    });
    int64_t total = 0;
    for (const Entry &e : entries) {
        total += e.bytes;
    }
    if (total <= max_bytes_) {
        return;
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) { return a.used < b.used; });
    for (const Entry &e : entries) {
        if (static_cast<double>(total) <= kTrimmed * static_cast<double>(max_bytes_)) {
            break;
        }
        fs::remove(e.path, error);
        fs::remove(e.path.parent_path(), error);  // only if it is empty
        total -= e.bytes;
    }
}

fs::path default_cache_folder() {
    const char *cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && fs::path(cache).is_absolute()) {
        return fs::path(cache) / "emulsion";
    }
    const char *home = std::getenv("HOME");
    return home != nullptr && *home != '\0' ? fs::path(home) / ".cache" / "emulsion" : fs::path();
}

std::string compiler_build(const fs::path &program) {
    // Who tunes asks before every batch of candidates, and to read and hash them takes 50 ms.
    using Version = std::tuple<fs::path, uintmax_t, fs::file_time_type>;
    static std::mutex mutex;
    static std::map<std::array<Version, 2>, std::string> known;
    const auto version = [](const fs::path &file) {
        std::error_code error;  // of a file that can't be read; that is said below
        return Version{file, fs::file_size(file, error), fs::last_write_time(file, error)};
    };
    const fs::path plugin = library_file("libautoschedule_gao2025.so");
    const std::array<Version, 2> versions{version(program), version(plugin)};
    const std::lock_guard lock(mutex);
    std::string &build = known[versions];
    if (build.empty()) {
        build = hash_hex(read_file(program) + read_file(plugin)).substr(0, 16);
    }
    return build;
}

}  // namespace emulsion
