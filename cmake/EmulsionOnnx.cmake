# Emulsion::onnx: the onnx library, built from the C++ sources inside the Python package `onnx`.
#
# It never depends on a preset, so it is built once, into ${EMULSION_ONNX_DIR}/<key>; the key names
# everything that could change the archive.

find_package(Protobuf REQUIRED)

set(EMULSION_ONNX_DIR
    "${PROJECT_SOURCE_DIR}/build/onnx"
    CACHE PATH "Where builds of the onnx library are kept, shared by all presets")

file(GLOB emulsion_onnx_info "${EMULSION_PYTHON_PACKAGES}/onnx-*.dist-info")
if (NOT emulsion_onnx_info MATCHES "/onnx-([0-9.]+)\\.dist-info$")
    message(FATAL_ERROR "The Python package onnx is not in ${EMULSION_VENV}: run tools/setup.")
endif ()
set(emulsion_onnx_version "${CMAKE_MATCH_1}")

set(emulsion_onnx_recipe "${CMAKE_CURRENT_LIST_DIR}/onnx")
set(emulsion_onnx_key
    "${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
set_property(
    DIRECTORY
    APPEND
    PROPERTY CMAKE_CONFIGURE_DEPENDS "${emulsion_onnx_recipe}/CMakeLists.txt")
file(SHA256 "${emulsion_onnx_recipe}/CMakeLists.txt" emulsion_onnx_recipe_hash)
string(APPEND emulsion_onnx_key " ${EMULSION_PYTHON_PACKAGES} ${emulsion_onnx_recipe_hash}")
string(SHA256 emulsion_onnx_key "${emulsion_onnx_key}")
string(SUBSTRING "${emulsion_onnx_key}" 0 12 emulsion_onnx_key)
set(emulsion_onnx_folder
    "${EMULSION_ONNX_DIR}/${emulsion_onnx_version}-protobuf${Protobuf_VERSION}-${emulsion_onnx_key}")
set(emulsion_onnx_archive "${emulsion_onnx_folder}/libonnx.a")

add_custom_command(
    OUTPUT "${emulsion_onnx_archive}"
    COMMAND
        "${CMAKE_COMMAND}" "-DRECIPE=${emulsion_onnx_recipe}" "-DFOLDER=${emulsion_onnx_folder}"
        "-DONNX_SOURCE=${EMULSION_PYTHON_PACKAGES}/onnx" "-DCXX=${CMAKE_CXX_COMPILER}"
        "-DNINJA=${CMAKE_MAKE_PROGRAM}" -P "${emulsion_onnx_recipe}/build.cmake"
    COMMENT "Building the onnx library ${emulsion_onnx_version} (once for all presets)"
    VERBATIM)

# The archive is a private source, which makes an interface library a target that can be built and
# that users of the library wait for, headers included.
add_library(emulsion_onnx INTERFACE)
add_library(Emulsion::onnx ALIAS emulsion_onnx)
target_sources(emulsion_onnx PRIVATE "${emulsion_onnx_archive}")
target_include_directories(emulsion_onnx SYSTEM INTERFACE "${emulsion_onnx_folder}/include")
target_compile_definitions(emulsion_onnx INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1)
target_link_libraries(emulsion_onnx INTERFACE "${emulsion_onnx_archive}" protobuf::libprotobuf)
