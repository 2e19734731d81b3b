// SPDX-License-Identifier: BSD-3-Clause
#include "cli/io/output_files.hpp"

#include "cli/io/output_path.hpp"
#include "cli/standard_output.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace nearfar::cli {

namespace {

// A signal handler can only reach globals.
std::array<std::atomic<char const*>, OutputFiles::most> unfinished{};

void remove_and_die(int signal) {
  for (auto const& path : unfinished)
    if (char const* const file = path.load()) unlink(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

OutputFiles::OutputFiles() {
  parts_.reserve(most);  // the handler keeps pointers into it
  struct sigaction action {};
  action.sa_handler = remove_and_die;
  for (std::size_t i = 0; i < deadly.size(); ++i) {
    sigaction(deadly[i], nullptr, &before_[i]);
    // Signals that the caller ignored, as nohup does, stay ignored.
    if (before_[i].sa_handler != SIG_IGN) sigaction(deadly[i], &action, nullptr);
  }
}

OutputFiles::~OutputFiles() {
  for (auto const& part : parts_) unlink(part.beside.c_str());
  for (auto& path : unfinished) path = nullptr;
  for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &before_[i], nullptr);
}

std::string OutputFiles::begin(std::string const& path) {
  if (parts_.size() == most) throw std::logic_error("a run writes more files than OutputFiles holds");
  auto const target = destination(path);
  auto& part = parts_.emplace_back(Part{path, target.string(), path_beside(target)});
  unfinished[parts_.size() - 1] = part.beside.c_str();
  make_private(part.beside, part.target);
  return part.beside;
}

void OutputFiles::write(std::string const& path, std::function<void(std::string const&)> write) {
  if (is_stream(path)) {
    streams_.emplace_back([path, write = std::move(write)] { write(opened_as(path)); });
    return;
  }
  write(begin(path));
}

void OutputFiles::write_now(std::string const& path, std::function<void(std::string const&)> const& write) {
  if (is_stream(path)) return write(opened_as(path));
  this->write(path, write);
  move(parts_.back());
  unfinished[parts_.size() - 1] = nullptr;
  parts_.pop_back();
}

void OutputFiles::commit() {
  for (auto const& write : streams_) write();
  for (auto const& part : parts_) move(part);
}

void OutputFiles::move(Part const& part) {
  keep_rights(part.beside, part.target);
  if (std::rename(part.beside.c_str(), part.target.c_str()) != 0)
    throw unwritable(part.path, std::strerror(errno), "choose another name");
}

void write_whole(std::string const& path, std::function<void(std::string const&)> const& write) {
  OutputFiles files;
  files.write(path, write);
  files.commit();
}

}  // namespace nearfar::cli
