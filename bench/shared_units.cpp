#include "bench/shared_units.h"

#include "backend/compiler.h"
#include "backend/temporary_folder.h"
#include "bench/user_files.h"

namespace emulsion {

SharedUnits::SharedUnits(CompileOptions &options) {
    if (!options.use_cache) {
        folder_ = make_scratch_folder();
        options.use_cache = true;
        options.cache_folder = folder_->path().string();
    }
}

SharedUnits::~SharedUnits() = default;

}  // namespace emulsion
