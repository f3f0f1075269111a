# Writes HEADER, which defines EMULSION_CODE_HASH: a hash of FILES, the sources that decide what
# machine code a compilation unit becomes. Part of every cache key, so that no cached unit outlives
# the code that made it.
#
# As a script (cmake -P) it needs FILES (a list) and HEADER; included, it offers the function below.

if (CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    set(all "")
    foreach (file IN LISTS FILES)
        file(SHA256 "${file}" hash)
        string(APPEND all "${hash}")
    endforeach ()
    string(SHA256 all "${all}")
    string(SUBSTRING "${all}" 0 16 all)
    file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define EMULSION_CODE_HASH \"@all@\"\n" @ONLY)
    return()
endif ()

# emulsion_code_hash(TARGET t HEADER generated.h FILES ...)
function (emulsion_code_hash)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;HEADER" "FILES")
    set(script "${PROJECT_SOURCE_DIR}/cmake/EmulsionCodeHash.cmake")
    list(SORT arg_FILES)
    add_custom_command(
        OUTPUT "${arg_HEADER}"
        COMMAND "${CMAKE_COMMAND}" "-DFILES=${arg_FILES}" "-DHEADER=${arg_HEADER}" -P "${script}"
        DEPENDS ${arg_FILES} "${script}"
        COMMENT "Hashing the code generator's sources"
        VERBATIM)
    target_sources(${arg_TARGET} PRIVATE "${arg_HEADER}")
endfunction ()
