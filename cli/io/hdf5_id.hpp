// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <hdf5.h>
#include <string>
#include <utility>

namespace nearfar::cli {

/// An identifier of the HDF5 library, closed in the end by the function that its kind has. What was written may still
/// be in buffers until then, so whoever writes asks close() whether it came to the file: a later flush does not know.
class Hdf5Id {
 public:
  Hdf5Id(hid_t id, herr_t (*close)(hid_t)) noexcept : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id const&) = delete;
  Hdf5Id& operator=(Hdf5Id const&) = delete;
  ~Hdf5Id() { close(); }
  bool close() noexcept {
    hid_t const id = std::exchange(id_, hid_t{-1});
    return id >= 0 && close_(id) >= 0;
  }
  operator hid_t() const noexcept { return id_; }
  bool bad() const noexcept { return id_ < 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The library would print each error itself. And at the end of the process it would try once more to write what it
/// could not, and crash.
inline void silence_hdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// Opens a file for reading. Throws Error{bad_input} that says why it cannot: another program writes to it, it may not
/// be read, or it is not HDF5.
Hdf5Id open_hdf5(std::string const& path);

/// Why a dataset could not be read, and what would be right: "needs the filter 'lzf' ...".
std::string why_unreadable(hid_t dataset);

/// Properties of a dataset without times, so that the same numbers give the same file.
inline Hdf5Id without_times() {
  hid_t const made = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(made, false);
  return {made, H5Pclose};
}

/// Whether a dataset is of numbers that can be read as doubles. A damaged head may give each of them gigabytes, which
/// the library would make room for.
inline bool holds_numbers(hid_t dataset) {
  constexpr std::size_t longest_number = 16;
  Hdf5Id const type{H5Dget_type(dataset), H5Tclose};
  auto const kind = H5Tget_class(type);
  return (kind == H5T_FLOAT || kind == H5T_INTEGER) && H5Tget_size(type) <= longest_number;
}

/// So many numbers a file can hold at most: each takes a byte at least, and compression has its limit. What a damaged
/// head promises beyond is not believed.
inline double most_numbers_in(std::string const& path) {
  constexpr double most_compressed = 1100;
  return most_compressed * double(std::filesystem::file_size(path));
}

}  // namespace nearfar::cli
