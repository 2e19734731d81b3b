// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/description.hpp"

#include "core/math/constants.hpp"

#include <nearfar/error.hpp>

#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace nearfar::cluster {

namespace {

[[noreturn]] void refuse(std::string const& what, std::string const& right) {
  throw Error(Fault::bad_input, "description of a solve: " + what + "; " + right);
}

/// Numbers above zero; whole ones for integers.
template <class Number, std::size_t count>
void read(std::istream& line, std::string const& name, std::array<Number, count>& values) {
  std::string rest;
  for (Number& value : values)
    if (!(line >> value) || !(value > 0))
      refuse("line '" + name + "' does not have " + std::to_string(count) + " numbers above zero",
             "each is needed to build the graph: give them, separated by blanks");
  if (line >> rest)
    refuse("line '" + name + "' ends with '" + rest + "'", "it has " + std::to_string(count) + " numbers");
}

template <class Number>
void read(std::istream& line, std::string const& name, Number& value) {
  std::array<Number, 1> one{};
  read(line, name, one);
  value = one[0];
}

void read(std::istream& line, std::string const& name, bool& value) {
  std::string word;
  if (!(line >> word) || (word != "yes" && word != "no"))
    refuse("line '" + name + "' says '" + word + "'", "say yes or no");
  value = word == "yes";
}

void read(std::istream& line, std::string const&, Kernel& kernel) {
  std::string word;
  line >> word;
  kernel = from_name<Kernel>(word);
}

}  // namespace

double Description::neighbours() const {
  return points * 4 * pi<double> / 3 * cutoff * cutoff * cutoff / (box[0] * box[1] * box[2]);
}

Description read_description(std::istream& in) {
  Description d;
  std::map<std::string, std::function<void(std::istream&, std::string const&)>> fields;
  auto const field = [&](char const* name, auto& value) {
    fields[name] = [&value](std::istream& line, std::string const& called) { read(line, called, value); };
  };
  field("kernel", d.kernel);
  field("ranks", d.ranks);
  field("points", d.points);
  field("box", d.box);
  field("cutoff", d.cutoff);
  field("split", d.split);
  field("window", d.window);
  field("grid", d.grid);
  field("cells", d.cells);
  field("blocks", d.blocks);
  field("slabs", d.slabs);
  field("columns", d.columns);
  field("near_in_single", d.near_in_single);
  field("mutual", d.mutual);
  field("on_gpus", d.on_gpus);
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text.substr(0, text.find('#')));
    std::string name;
    if (!(line >> name)) continue;
    auto const found = fields.find(name);
    if (found == fields.end())
      refuse("line '" + name + "' is unknown, or there twice", "see bench/cluster/description.hpp");
    found->second(line, name);
    fields.erase(found);
  }
  if (!fields.empty()) refuse("line '" + fields.begin()->first + "' is missing", "all of them are needed: add it");
  return d;
}

}  // namespace nearfar::cluster
