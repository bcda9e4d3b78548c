# The two functions every folder uses, and the interface targets behind them.
#
#   agens_library(NAME SOURCES ... [PUBLIC ...] [PRIVATE ...])   one static library per folder
#   agens_add_test(NAME LABEL fast|model|ui|e2e SOURCES ... LIBS ...)   one GoogleTest program
#
# `warnings` and `sanitizers` are interface targets; `exact_math` forbids the compiler to contract
# a*b+c, because the numerics contract fixes every rounding (engine/README.md).

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(AGENS_CCACHE ccache)
  if(AGENS_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${AGENS_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${AGENS_CCACHE}")
  endif()
endif()

# Values are initialised by naming the fields that matter; the others keep their defaults on purpose,
# so that warning is off.
add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wsign-conversion -Wold-style-cast -Wno-missing-field-initializers $<$<BOOL:${AGENS_WERROR}>:-Werror>
  # gcc 12 at -O3 reports impossible overlaps inside std::string (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

add_library(sanitizers INTERFACE)
if(AGENS_SANITIZE)
  target_compile_options(sanitizers INTERFACE -fsanitize=${AGENS_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(sanitizers INTERFACE -fsanitize=${AGENS_SANITIZE})
endif()

add_library(exact_math INTERFACE)
target_compile_options(exact_math INTERFACE -ffp-contract=off)

add_library(hardening INTERFACE)
target_compile_options(hardening INTERFACE -fvisibility=hidden)
if(NOT AGENS_SANITIZE)  # the sanitizers bring their own versions of these checks
  target_compile_options(hardening INTERFACE
    $<$<CONFIG:Release,RelWithDebInfo>:-fstack-protector-strong$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
endif()
target_link_options(hardening INTERFACE -Wl,-z,relro,-z,now)

add_library(agens_options INTERFACE)
target_link_libraries(agens_options INTERFACE warnings sanitizers exact_math hardening)
target_compile_definitions(agens_options INTERFACE $<$<BOOL:${AGENS_DCHECK}>:AGENS_DCHECK=1>)
target_include_directories(agens_options INTERFACE "${CMAKE_SOURCE_DIR}")

function(agens_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC agens_options ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

function(agens_header_library name)
  cmake_parse_arguments(ARG "" "" "PUBLIC" ${ARGN})
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE agens_options ${ARG_PUBLIC})
endfunction()

# Every test runs under tests/support/env.sh: a throw-away HOME and XDG folders, fixed locale.
function(agens_add_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE agens_options test_support ${ARG_LIBS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND "${CMAKE_SOURCE_DIR}/tests/support/env.sh" $<TARGET_FILE:${name}>)
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

function(agens_summary)
  message(STATUS "Agens ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  message(STATUS "  window:        ${AGENS_GUI}")
  message(STATUS "  tests:         ${AGENS_TESTS}")
  message(STATUS "  sanitizers:    ${AGENS_SANITIZE}")
  message(STATUS "  shared data:   ${AGENS_SHARED}")
endfunction()
