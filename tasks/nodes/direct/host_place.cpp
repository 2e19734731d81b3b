// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/direct/place.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/uio.h>
#include <unistd.h>

namespace nearfar::detail {

RemoteMemory HostPlace::name(void const* memory) {
  RemoteMemory named;
  named.address = std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
  named.process = getpid();
  return named;
}

std::unique_ptr<RemoteCopy> HostPlace::copy(int, void* to, RemoteMemory const& from, std::size_t bytes) {
  // At most two GiB go in one call.
  for (std::size_t done = 0; done < bytes;) {
    iovec const here{static_cast<char*>(to) + done, bytes - done};
    iovec const there{reinterpret_cast<void*>(std::uintptr_t(from.address + done)), bytes - done};
    auto const copied = process_vm_readv(pid_t(from.process), &here, 1, &there, 1, 0);
    if (copied <= 0)
      throw std::runtime_error("memory of process " + std::to_string(from.process) + " was not copied (" +
                               std::strerror(errno) + ")");
    done += std::size_t(copied);
  }
  return nullptr;
}

}  // namespace nearfar::detail
