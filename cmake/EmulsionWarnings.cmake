# emulsion_warnings: what every library and program of the project links privately.

add_library(emulsion_warnings INTERFACE)
add_library(Emulsion::warnings ALIAS emulsion_warnings)
target_compile_options(
    emulsion_warnings
    INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Wall
              -Wextra
              -Werror
              -Wcast-align
              -Wundef
              -Wvla>
              $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi
              -Wnon-virtual-dtor
              -Woverloaded-virtual
              -Wredundant-move>
              # Designated initializers leave fields to their defaults on purpose.
              $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-missing-field-initializers>
              # GCC 12 reports these in its own library headers once it has inlined them.
              $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized
              -Wno-restrict
              -Wno-array-bounds
              -Wno-stringop-overflow
              -Wno-stringop-overread>)
