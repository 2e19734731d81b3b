// SPDX-License-Identifier: BSD-3-Clause
#include "cli/same_on_ranks.hpp"

#include "cli/options.hpp"

#include <nearfar/error.hpp>
#include <nearfar/gather.hpp>
#include <nearfar/runtime.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace nearfar::cli {

namespace {

using nlohmann::json;

std::string in_hexadecimal(std::uint64_t number) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// The folder that this process is in: which one it is, and on which machine.
std::string folder() {
  std::array<char, 256> machine{};
  gethostname(machine.data(), machine.size() - 1);
  struct stat here {};
  if (stat(".", &here) != 0) return {};
  return std::string(machine.data()) + ':' + std::to_string(here.st_dev) + ':' + std::to_string(here.st_ino);
}

std::string machine_of(std::string const& folder) { return folder.substr(0, folder.find(':')); }

/// An output in the folder that the process is in, and not by a path from the root.
bool is_in_folder(Option const& option, std::string const& value) {
  return option.shared == Shared::output && value != "-" && !value.starts_with('/');
}

json told(Understood const& mine) {
  auto options = json::object(), contents = json::object();
  bool in_folder = false;
  for (auto const& [option, value] : mine.given.options) {
    if (option->shared != Shared::own) options[option->flag] = value;
    if (option->shared == Shared::input) contents[value] = contents_of(value);
    in_folder = in_folder || is_in_folder(*option, value);
  }
  return {{"error", mine.error},
          {"fault", int(mine.fault)},
          {"command", mine.given.command},
          {"options", options},
          {"contents", contents},
          {"on_ranks", mine.given.on_ranks},
          {"folder", in_folder ? folder() : ""}};
}

/// What one option is, for the words "--sources is a.csv" or "--gradient is not given".
std::string stated(json const& options, std::string const& flag) {
  if (!options.contains(flag)) return "not given";
  auto const value = options[flag].get<std::string>();
  return value.empty() ? "given" : value;
}

/// How another process differs from the first; empty: not at all.
std::string difference(json const& first, json const& other, std::string const& where) {
  if (first["command"] != other["command"])
    return "it is 'nearfar " + first["command"].get<std::string>() + "' on rank 0 and 'nearfar " +
           other["command"].get<std::string>() + "' " + where;
  if (!first["on_ranks"].get<bool>()) return {};  // each is told that it has to be alone
  auto all = first["options"];
  all.update(other["options"]);
  for (auto const& [flag, ignored] : all.items()) {
    auto const here = stated(first["options"], flag), there = stated(other["options"], flag);
    if (here != there) return flag + " is " + here + " on rank 0 and " + there + " " + where;
  }
  for (auto const& [path, contents] : first["contents"].items())
    if (auto const there = other["contents"].value(path, std::string());
        contents != "" && there != "" && contents != there)
      return path + " is another file on rank 0 (" + contents.get<std::string>() + ") than " + where + " (" + there +
             ")";
  auto const here = first["folder"].get<std::string>(), there = other["folder"].get<std::string>();
  if (here != there && machine_of(here) == machine_of(there))
    return "the folder in which the output goes is another one on rank 0 than " + where;
  return {};
}

}  // namespace

std::string contents_of(std::string const& path) {
  constexpr std::size_t piece = 4096, pieces = 256;
  std::ifstream file(path, std::ios::binary);
  std::error_code failed;
  auto const size = std::filesystem::file_size(path, failed);
  if (!file || failed) return {};
  std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a
  auto const add = [&](std::uint64_t begin, std::uint64_t count) {
    std::array<char, piece> bytes{};
    file.clear();
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      sum = (sum ^ static_cast<unsigned char>(bytes[std::size_t(i)])) * 0x100000001b3;
  };
  if (size <= piece * pieces) {
    for (std::uint64_t begin = 0; begin < size; begin += piece)
      add(begin, std::min<std::uint64_t>(piece, size - begin));
  } else {
    double const step = double(size - piece) / double(pieces - 1);
    for (std::size_t i = 0; i < pieces; ++i) add(std::uint64_t(double(i) * step), piece);
  }
  return std::to_string(size) + " bytes, checksum " + in_hexadecimal(sum);
}

namespace {

std::string on_rank(std::size_t rank) { return "on rank " + std::to_string(rank); }

/// What all processes tell, by rank; throws the error of the first that tells one.
std::vector<json> without_errors(json const& mine) {
  std::vector<json> all;
  for (auto const& text : allgather(mine.dump(-1, ' ', false, json::error_handler_t::replace)))
    all.push_back(json::parse(text));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (auto const error = all[rank]["error"].get<std::string>(); !error.empty())
      throw Error{Fault{all[rank]["fault"].get<int>()}, (rank > 0 ? on_rank(rank) + ": " : std::string()) + error};
  return all;
}

}  // namespace

void expect_same_on_ranks(Understood const& mine) {
  if (launch().ranks == 1) {
    if (!mine.error.empty()) throw Error{mine.fault, mine.error};
    return;
  }
  auto const all = without_errors(told(mine));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (auto const what = difference(all.front(), all[rank], on_rank(rank)); !what.empty())
      throw Error{Fault::bad_input,
                  what +
                      "; the processes of one mpirun solve one problem together, so half of each would be solved. Give "
                      "all of them the same options and files, or add " +
                      independent_flag + " to solve a problem per process"};
}

void together(std::function<void()> const& work) {
  if (launch().ranks == 1) return work();
  json mine{{"error", ""}, {"fault", 0}};
  try {
    work();
  } catch (Error const& error) {
    mine = {{"error", error.what()}, {"fault", int(error.fault())}};
  }
  without_errors(mine);
}

}  // namespace nearfar::cli
