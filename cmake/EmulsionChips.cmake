# EMULSION_CHIPS: the names of the chips in fusion/chips.cpp, for messages about calls that name others; as a
# global property too, which functions read.
set(emulsion_chips_file "${CMAKE_CURRENT_LIST_DIR}/../fusion/chips.cpp")
file(STRINGS "${emulsion_chips_file}" EMULSION_CHIPS REGEX "Chip chip{\"gfx")
list(TRANSFORM EMULSION_CHIPS REPLACE ".*Chip chip{\"(gfx[0-9a-f]+)\".*" "\\1")
if (NOT EMULSION_CHIPS)
    message(FATAL_ERROR "no chips are found in ${emulsion_chips_file}")
endif ()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${emulsion_chips_file}")
set_property(GLOBAL PROPERTY EMULSION_CHIPS "${EMULSION_CHIPS}")
