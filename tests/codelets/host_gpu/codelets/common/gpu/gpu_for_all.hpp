// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_team.hpp"
#include "tests/codelets/host_team.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

// In the place of codelets/common/gpu/gpu_for_all.hpp where a test runs a .cu file on the host: what threads do, one
// after the other, the last one first.
namespace nearfar {

inline std::size_t gpu_shared_room() { return gpu_shared_bytes; }

template <class Body>
void gpu_for_all(std::int64_t count, void*, Body const& body, char const*) {
  for (std::int64_t i = count - 1; i >= 0; --i) body(i);
}

template <class Program, class Number, class Launch>
void gpu_run_teams(int teams, void*, Launch const& launch, char const*) {
  if (teams < 1) throw std::logic_error("no team is launched");
  for (int i = teams - 1; i >= 0; --i) {
    std::vector<Number> memory(std::size_t(Program::memory_size), Number(77));
    test::HostTeam<typename Program::State> team(Program::threads);
    run_program<Program>(team, launch, i, memory.data());
  }
}

template <class Program, class Number, class Launch>
void gpu_run_teams(int teams, std::size_t bytes, void*, Launch const& launch, char const*) {
  for (int i = teams - 1; i >= 0; --i) {
    std::vector<Number> memory(bytes / sizeof(Number));
    std::memset(static_cast<void*>(memory.data()), 0xff, bytes);  // numbers that are none
    test::HostTeam<typename Program::State> team(Program::threads);
    Program::run(team, launch, i, memory.data());
  }
}

}  // namespace nearfar
