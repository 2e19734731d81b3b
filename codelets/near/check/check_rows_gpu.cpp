// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check_rows_gpu.hpp"

namespace nearfar {

template <class T>
void CheckRows<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_check_rows(CheckRowsLaunch<T>::of(b, 0, args.strengths, 0), stream);
  launch_check_rows(CheckRowsLaunch<T>::of(b, 1, args.results, RowSums::numbers), stream);
}

template void CheckRows<double>::gpu(Buffers const&, CheckRowsArgs const&, void*);
template void CheckRows<float>::gpu(Buffers const&, CheckRowsArgs const&, void*);

}  // namespace nearfar
