// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/target_chunks.hpp"

#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace nearfar::detail {

namespace {

/// A block is cut when its pairs and its points, each relative to the mean over blocks, add up to more than this.
constexpr double max_means = 3;

/// All that lies in some pieces of columns.
struct Total {
  int points = 0;
  double pairs = 0;

  explicit Total(std::span<ColumnContent const> content) {
    for (ColumnContent const& c : content) points += c.points, pairs += c.pairs;
  }
};

/// What a target and a pair add to the load of a block, whose mean is 2.
struct Load {
  double per_point, per_pair;
  double of(double points, double pairs) const { return points * per_point + pairs * per_pair; }
};

/// Cuts a block into chunks of about the same load.
class CutBlock {
 public:
  CutBlock(int block, Load const& load_of) : load_of_(load_of), chunk_{block, {0, 0}, 0} {}

  std::vector<TargetChunk> operator()(std::span<ColumnContent const> content, int many, int pieces) && {
    Total const all(content);
    if (all.points == 0) return {};
    load_ = load_of_.of(all.points, all.pairs);
    int const least = all.points >= many ? pieces : 1;
    count_ = std::min(all.points, std::max(least, static_cast<int>(std::ceil(load_ / max_means))));
    for (ColumnContent const& piece : content)
      if (piece.points > 0) cut(piece.pairs / piece.points, piece.points);
    chunks_.push_back(chunk_);
    return std::move(chunks_);
  }

 private:
  double next_cut() const { return load_ * (made_ + 1) / count_; }

  void pass(int points, double near) {
    chunk_.points.last += points;
    chunk_.pairs += points * near;
    done_ += load_of_.of(points, points * near);
  }

  /// So many targets that follow, with as many sources near each.
  void cut(double near, int points) {
    double const each = load_of_.of(1, near);
    while (made_ + 1 < count_) {
      double const before = std::ceil((next_cut() - done_) / each);  // of these
      if (before >= points) break;
      int const here = std::max(0, int(before));
      pass(here, near);
      points -= here;
      if (chunk_.points.count() > 0) {
        chunks_.push_back(chunk_);
        chunk_ = {chunk_.block, {chunk_.points.last, chunk_.points.last}, 0};
      }
      ++made_;
    }
    pass(points, near);
  }

  Load load_of_;
  double load_ = 0, done_ = 0;  // of the block, and of its points so far
  int count_ = 0, made_ = 0;    // chunks
  TargetChunk chunk_;
  std::vector<TargetChunk> chunks_;
};

}  // namespace

std::vector<TargetChunk> cut_chunks(CellColumns const& columns, std::vector<ColumnContent> const& content, int many,
                                    int pieces) {
  Total const all(content);
  int const blocks = columns.cells.block_count();
  Load const load{double(blocks) / std::max(1, all.points), all.pairs > 0 ? blocks / all.pairs : 0};
  std::vector<TargetChunk> chunks;
  auto next = content.begin();
  for (int b = 0; b < blocks; ++b) {
    auto const end = next + std::int64_t(columns.columns(block_at(columns.cells, b))) * columns.pieces;
    auto const of = CutBlock(b, load)({next, end}, many, pieces);
    chunks.insert(chunks.end(), of.begin(), of.end());
    next = end;
  }
  return chunks;
}

std::vector<TargetChunk> one_chunk(Cells const& cells, std::size_t sources, std::size_t targets) {
  double const box = cells.volume(), ball = 4 * pi<double> / 3 * cells.cutoff * cells.cutoff * cells.cutoff;
  return {{0, {0, int(targets)}, double(targets) * double(sources) * std::min(1.0, ball / box)}};
}

}  // namespace nearfar::detail
