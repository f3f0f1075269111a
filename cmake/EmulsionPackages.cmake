# What the project uses from elsewhere: Debian's packages, and the Python packages that tools/setup
# puts into EMULSION_VENV.

set(EMULSION_VENV
    "${PROJECT_SOURCE_DIR}/build/venv"
    CACHE PATH "The Python environment made by tools/setup")
file(GLOB EMULSION_PYTHON_PACKAGES "${EMULSION_VENV}/lib/python3*/site-packages")
if (NOT EXISTS "${EMULSION_PYTHON_PACKAGES}/halide")
    message(FATAL_ERROR "The Python package halide is not in ${EMULSION_VENV}: run tools/setup.")
endif ()

set(EMULSION_HALIDE_VERSIONS 19 21)  # by major version
# Another version of it for tools/test-halide.
set(EMULSION_HALIDE
    "${EMULSION_PYTHON_PACKAGES}/halide"
    CACHE PATH "The folder of the Python package halide")
list(PREPEND CMAKE_PREFIX_PATH "${EMULSION_HALIDE}")
set_property(GLOBAL PROPERTY FIND_LIBRARY_USE_LIB64_PATHS ON)
find_package(Halide REQUIRED shared)
if (NOT Halide_VERSION_MAJOR IN_LIST EMULSION_HALIDE_VERSIONS)
    list(JOIN EMULSION_HALIDE_VERSIONS ", " versions)
    message(FATAL_ERROR "${EMULSION_HALIDE} has Halide ${Halide_VERSION}; Emulsion takes ${versions}, whose "
                        "interface for autoschedulers and schedules it was written for.")
endif ()

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# Debian's xxHash has no CMake package of its own.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)
add_library(xxHash::xxhash UNKNOWN IMPORTED)
set_target_properties(
    xxHash::xxhash PROPERTIES IMPORTED_LOCATION "${XXHASH_LIBRARY}"
                              INTERFACE_INCLUDE_DIRECTORIES "${XXHASH_INCLUDE_DIR}")
