# emulsion_add_model(NAME <name> ONNX <file>
#                    [STATIC | SHARED] [TARGETS <target>] [POLICY <policy>] [THREADS <count>]
#                    [SHAPES <input>=<extents>...] [EXACT] [TUNED <file>]
#                    [OUTPUT_DIRECTORY <folder>] [DEPENDS <file>...])
#
# Compiles an ONNX model when the project is built, and again when the model, the compiler or a file
# in DEPENDS (external data, say) has changed. Defines the target <name>: link it, include <name>.h.
#
# NAME is the prefix of the C API and so a C identifier. STATIC (default) links lib<name>.a, SHARED
# lib<name>.so. The other options are those of `emulsion compile`: TARGETS is one Halide target (host
# by default), THREADS the number of threads to plan for (by default, the cores of the machine that
# builds), TUNED a file that `emulsion tune` has written. OUTPUT_DIRECTORY is ${CMAKE_CURRENT_BINARY_DIR}/<name> unless given; it is replaced as a
# whole.
#
# Properties of the target: EMULSION_WEIGHTS, the weights file that the program opens, and
# EMULSION_MANIFEST.
function (emulsion_add_model)
    cmake_parse_arguments(PARSE_ARGV 0 arg "STATIC;SHARED;EXACT"
                          "NAME;ONNX;POLICY;THREADS;TUNED;OUTPUT_DIRECTORY" "TARGETS;SHAPES;DEPENDS")
    if (arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "emulsion_add_model: what is ${arg_UNPARSED_ARGUMENTS}?")
    endif ()
    foreach (required IN ITEMS NAME ONNX)
        if (NOT arg_${required})
            message(FATAL_ERROR "emulsion_add_model: ${required} is missing")
        endif ()
    endforeach ()
    string(LENGTH "${arg_NAME}" length)
    if (NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$" OR length GREATER 64 OR
        arg_NAME MATCHES "^(emulsion|halide)$")
        message(FATAL_ERROR "emulsion_add_model: NAME is '${arg_NAME}'; accepted are C identifiers of "
                            "at most 64 characters other than emulsion and halide")
    endif ()
    if (arg_STATIC AND arg_SHARED)
        message(FATAL_ERROR "emulsion_add_model(${arg_NAME}): STATIC or SHARED, not both")
    endif ()
    list(LENGTH arg_TARGETS target_count)
    if (target_count GREATER 1)
        message(FATAL_ERROR "emulsion_add_model(${arg_NAME}): TARGETS has ${target_count} targets; "
                            "one is accepted")
    endif ()

    cmake_path(ABSOLUTE_PATH arg_ONNX BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if (NOT arg_OUTPUT_DIRECTORY)
        set(arg_OUTPUT_DIRECTORY "${arg_NAME}")
    endif ()
    cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIRECTORY BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
               NORMALIZE)
    set(base "${arg_OUTPUT_DIRECTORY}")

    set(flags "")
    if (arg_TARGETS)
        list(APPEND flags --target "${arg_TARGETS}")
    endif ()
    if (arg_POLICY)
        list(APPEND flags --policy "${arg_POLICY}")
    endif ()
    if (arg_THREADS)
        list(APPEND flags --threads "${arg_THREADS}")
    endif ()
    if (arg_TUNED)
        cmake_path(ABSOLUTE_PATH arg_TUNED BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
        list(APPEND flags --tuned "${arg_TUNED}")
    endif ()
    if (arg_EXACT)
        list(APPEND flags --exact)
    endif ()
    foreach (shape IN LISTS arg_SHAPES)
        list(APPEND flags --shape "${shape}")
    endforeach ()

    set(files "${base}/lib${arg_NAME}.so" "${base}/lib${arg_NAME}.a" "${base}/${arg_NAME}.h"
              "${base}/${arg_NAME}.weights" "${base}/manifest.json")
    add_custom_command(
        OUTPUT ${files}
        COMMAND Emulsion::emulsion compile "${arg_ONNX}" -o "${base}" --name "${arg_NAME}" ${flags}
        DEPENDS "${arg_ONNX}" ${arg_TUNED} ${EMULSION_COMPILER_FILES} ${arg_DEPENDS}
        COMMENT "Compiling the network ${arg_NAME}"
        VERBATIM)
    add_custom_target(${arg_NAME}_artifact DEPENDS ${files})

    # Imported targets must name folders that exist.
    file(MAKE_DIRECTORY "${base}")
    if (arg_SHARED)
        add_library(${arg_NAME} SHARED IMPORTED GLOBAL)
        set_target_properties(${arg_NAME} PROPERTIES
            IMPORTED_LOCATION "${base}/lib${arg_NAME}.so" IMPORTED_SONAME "lib${arg_NAME}.so")
    else ()
        add_library(${arg_NAME} STATIC IMPORTED GLOBAL)
        set_target_properties(${arg_NAME} PROPERTIES
            IMPORTED_LOCATION "${base}/lib${arg_NAME}.a"
            INTERFACE_LINK_LIBRARIES "-lm;-lpthread;-ldl")
    endif ()
    set_target_properties(${arg_NAME} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${base}"
        EMULSION_WEIGHTS "${base}/${arg_NAME}.weights"
        EMULSION_MANIFEST "${base}/manifest.json")
    add_dependencies(${arg_NAME} ${arg_NAME}_artifact)
endfunction ()
