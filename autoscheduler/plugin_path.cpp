#include "autoscheduler/plugin_path.h"

#include <filesystem>

namespace emulsion {

std::string gao2025_path() {
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    return (program.parent_path().parent_path() / "lib" / "libautoschedule_gao2025.so").string();
}

}  // namespace emulsion
