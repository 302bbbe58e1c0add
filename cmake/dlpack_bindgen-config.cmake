# SPDX-License-Identifier: MIT
# The CMake package of dlpack-bindgen. find_package(dlpack_bindgen) defines:
#
#   dlpack_bindgen::core      the runtime without Python. A target that links it compiles it: there is nothing to install
#   dlpack_bindgen::object    core, and what every CPython module needs
#   dlpack_bindgen::call      object, and what functions, methods and properties of a module need
#
#   dlpack_bindgen_add_module(NAME SPEC FILE [SOURCES FILE...] [LIBRARIES TARGET...] [LIMITED_API])
#       Adds the CPython module NAME of a spec. It is generated into the current binary directory. SOURCES and LIBRARIES are
#       those of the C library. LIMITED_API makes one binary for all CPythons from 3.11 on. The target property
#       DLPACK_BINDGEN_STUB is the path of the stub.
#
#   dlpack_bindgen_add_library(NAME SPEC FILE [SOURCES FILE...] [LIBRARIES TARGET...])
#       Adds a static library with the C functions of a spec, for programs without Python.

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "it needs CMake 3.20 or newer")
  return()
endif()

# In a wheel, this file is in PREFIX/lib/pythonX.Y/site-packages/dlpack_bindgen/cmake (Windows: PREFIX/Lib/site-packages/...).
find_program(
  DLPACK_BINDGEN_EXECUTABLE dlpack-bindgen
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../Scripts"
  DOC "The generator of dlpack-bindgen")
if(NOT DLPACK_BINDGEN_EXECUTABLE)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE
      "there is no command dlpack-bindgen: put its folder on PATH, or set DLPACK_BINDGEN_EXECUTABLE")
  return()
endif()

# Sets OUTPUT to the words that a command of dlpack-bindgen prints.
function(_dlpack_bindgen_run output)
  execute_process(
    COMMAND "${DLPACK_BINDGEN_EXECUTABLE}" ${ARGN}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE words
    ERROR_VARIABLE message)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${message}")
  endif()
  separate_arguments(words UNIX_COMMAND "${words}")
  set(${output} "${words}" PARENT_SCOPE)
endfunction()

if(NOT TARGET dlpack_bindgen::core)
  _dlpack_bindgen_run(_dlpack_bindgen_flags config --cflags)
  _dlpack_bindgen_run(_dlpack_bindgen_sources config --sources)
  list(TRANSFORM _dlpack_bindgen_flags REPLACE "^-I" "")
  set(_dlpack_bindgen_dependency "")
  foreach(_dlpack_bindgen_library core object call)
    add_library(dlpack_bindgen::${_dlpack_bindgen_library} INTERFACE IMPORTED)
    list(POP_FRONT _dlpack_bindgen_sources _dlpack_bindgen_source)
    target_sources(dlpack_bindgen::${_dlpack_bindgen_library} INTERFACE "${_dlpack_bindgen_source}")
    target_include_directories(dlpack_bindgen::${_dlpack_bindgen_library} INTERFACE ${_dlpack_bindgen_flags})
    target_link_libraries(dlpack_bindgen::${_dlpack_bindgen_library} INTERFACE ${_dlpack_bindgen_dependency})
    set(_dlpack_bindgen_dependency dlpack_bindgen::${_dlpack_bindgen_library})
  endforeach()
endif()

# Adds the rule that generates the files of a spec, and sets OUTPUT to those that end with one of the suffixes.
function(_dlpack_bindgen_generate output name spec)
  if(NOT spec)
    message(FATAL_ERROR "dlpack-bindgen: ${name} has no SPEC")
  endif()
  get_filename_component(spec "${spec}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  _dlpack_bindgen_run(files generate "${spec}" --list-outputs)
  if(NOT "${name}_module.c" IN_LIST files)
    list(FILTER files INCLUDE REGEX "_module[.]c$")
    string(REGEX REPLACE "_module[.]c$" "" module "${files}")
    message(FATAL_ERROR "dlpack-bindgen: the module of ${spec} is '${module}', and the target is '${name}': give both the same name")
  endif()
  list(TRANSFORM files PREPEND "${CMAKE_CURRENT_BINARY_DIR}/")
  set(depfile "${CMAKE_CURRENT_BINARY_DIR}/${name}.d")
  add_custom_command(
    OUTPUT ${files}
    BYPRODUCTS "${depfile}"
    COMMAND "${DLPACK_BINDGEN_EXECUTABLE}" generate "${spec}" -o "${CMAKE_CURRENT_BINARY_DIR}" --depfile "${depfile}"
    DEPENDS "${spec}"
    DEPFILE "${depfile}"
    COMMENT "Generating the module ${name}"
    VERBATIM)
  set(found ${files})
  list(JOIN ARGN "|" suffixes)
  list(FILTER found INCLUDE REGEX "(${suffixes})$")
  set(${output} "${found}" PARENT_SCOPE)
endfunction()

function(_dlpack_bindgen_reject_unknown name)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dlpack-bindgen: unknown arguments of ${name}: ${arg_UNPARSED_ARGUMENTS}")
  endif()
endfunction()

function(dlpack_bindgen_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LIMITED_API" "SPEC" "SOURCES;LIBRARIES")
  _dlpack_bindgen_reject_unknown(${name})
  if(NOT COMMAND Python_add_library)
    message(FATAL_ERROR "dlpack_bindgen_add_module() needs: find_package(Python COMPONENTS Interpreter Development.Module)")
  endif()
  _dlpack_bindgen_generate(generated ${name} "${arg_SPEC}" "_dlpack[.]h" "[.]c" "[.]pyi")
  set(abi WITH_SOABI)
  if(arg_LIMITED_API)
    list(PREPEND abi USE_SABI 3.11)
  endif()
  python_add_library(${name} MODULE ${abi} ${generated} ${arg_SOURCES})
  # A spec without functions, methods and properties needs two of the three libraries.
  _dlpack_bindgen_run(needed config --sources --for "${arg_SPEC}")
  list(LENGTH needed count)
  if(count EQUAL 3)
    target_link_libraries(${name} PRIVATE dlpack_bindgen::call ${arg_LIBRARIES})
  else()
    target_link_libraries(${name} PRIVATE dlpack_bindgen::object ${arg_LIBRARIES})
  endif()
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  set_target_properties(
    ${name} PROPERTIES C_VISIBILITY_PRESET hidden DLPACK_BINDGEN_STUB "${CMAKE_CURRENT_BINARY_DIR}/${name}.pyi")
endfunction()

function(dlpack_bindgen_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SPEC" "SOURCES;LIBRARIES")
  _dlpack_bindgen_reject_unknown(${name})
  _dlpack_bindgen_generate(generated ${name} "${arg_SPEC}" "_dlpack[.]h" "_dlpack[.]c")
  add_library(${name} STATIC ${generated} ${arg_SOURCES})
  # The sources of the runtime become a part of this library; programs that link it need the headers alone.
  target_link_libraries(${name} PRIVATE dlpack_bindgen::core PUBLIC ${arg_LIBRARIES})
  get_target_property(folders dlpack_bindgen::core INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${name} PUBLIC ${folders} "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
endfunction()
