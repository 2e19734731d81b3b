// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// A trace whose tables can be worked out by hand. Two solves, two CPU workers and a GPU; milliseconds:
///
///            solve 1, 0 to 20                                     solve 2, 30 to 40
///   CPU 0    bin 1-2  p2g 2-8  fft 8-12  (wait 18-19) merge 19-20  p2g 32-38
///   CPU 1    p2p 3-15                                              bin 31-32  merge 39-40
///   CUDA 0   (wait 2-4) p2p 4-10                                   (wait 32-33) p2p 33-37
///
/// Each solve is bin -> {p2g -> fft, p2p} -> merge, without fft in the second, whose bin waits for the first one's
/// merge.
inline std::string const synthetic_trace = R"({"displayTimeUnit":"ms",
"otherData":{"format":"nearfar trace 1","runtime":"StarPU 1.4.10, CUDA","scheduler":"dmdas","tasks":10,
"starpu_bound":0.0075,
"workers":[{"name":"CPU 0","kind":"cpu"},{"name":"CPU <1>","kind":"cpu"},{"name":"CUDA 0","kind":"cuda"}],
"stages":[{"name":"bin","color":"#bbbbbb","branch":"shared"},{"name":"p2g","color":"#ee6677","branch":"far"},
{"name":"p2p","color":"#4477aa","branch":"near"},{"name":"fft","color":"#ccbb44","branch":"far"},
{"name":"merge","color":"#555555","branch":"shared"}],
"transfers":[{"from":"NUMA 0","to":"CUDA 0","count":12,"bytes":3145728},
{"from":"CUDA 0","to":"NUMA 0","count":2,"bytes":2048}]},
"traceEvents":[
{"ph":"M","cat":"__metadata","name":"process_name","pid":0,"tid":0,"args":{"name":"workers"}},
{"ph":"X","cat":"shared","name":"bin","pid":0,"tid":0,"ts":1000,"dur":1000,"args":{"task":0,"block":0,"solve":1,"submitted":0,"ready":500,"after":[]}},
{"ph":"X","cat":"far","name":"p2g","pid":0,"tid":0,"ts":2000,"dur":6000,"args":{"task":1,"block":0,"solve":1,"submitted":0,"ready":2000,"after":[0]}},
{"ph":"X","cat":"near","name":"p2p","pid":0,"tid":2,"ts":4000,"dur":6000,"args":{"task":2,"block":0,"solve":1,"submitted":0,"ready":2000,"after":[0]}},
{"ph":"X","cat":"far","name":"fft","pid":0,"tid":0,"ts":8000,"dur":4000,"args":{"task":3,"block":0,"solve":1,"submitted":0,"ready":8000,"after":[1]}},
{"ph":"X","cat":"near","name":"p2p","pid":0,"tid":1,"ts":3000,"dur":12000,"args":{"task":4,"block":1,"solve":1,"submitted":1000,"ready":2000,"after":[0]}},
{"ph":"X","cat":"shared","name":"merge","pid":0,"tid":0,"ts":19000,"dur":1000,"args":{"task":5,"block":0,"solve":1,"submitted":1000,"ready":15000,"after":[2,3,4]}},
{"ph":"X","cat":"shared","name":"bin","pid":0,"tid":1,"ts":31000,"dur":1000,"args":{"task":6,"block":0,"solve":2,"submitted":30000,"ready":30500,"after":[5]}},
{"ph":"X","cat":"far","name":"p2g","pid":0,"tid":0,"ts":32000,"dur":6000,"args":{"task":7,"block":0,"solve":2,"submitted":30000,"ready":32000,"after":[6]}},
{"ph":"X","cat":"near","name":"p2p","pid":0,"tid":2,"ts":33000,"dur":4000,"args":{"task":8,"block":0,"solve":2,"submitted":30000,"ready":32000,"after":[6]}},
{"ph":"X","cat":"shared","name":"merge","pid":0,"tid":1,"ts":39000,"dur":1000,"args":{"task":9,"block":0,"solve":2,"submitted":30000,"ready":38000,"after":[7,8]}},
{"ph":"X","cat":"wait","name":"wait for data","pid":0,"tid":2,"ts":2000,"dur":2000,"args":{"task":2}},
{"ph":"X","cat":"wait","name":"wait for data","pid":0,"tid":0,"ts":18000,"dur":1000,"args":{"task":5}},
{"ph":"X","cat":"wait","name":"wait for data","pid":0,"tid":2,"ts":32000,"dur":1000,"args":{"task":8}},
{"ph":"X","cat":"solve","name":"solve 1","pid":1,"tid":0,"ts":0,"dur":20000,"args":{"solve":1,"tasks":6,"submission":1000}},
{"ph":"X","cat":"solve","name":"solve 2","pid":1,"tid":0,"ts":30000,"dur":10000,"args":{"solve":2,"tasks":4,"submission":500}},
{"ph":"i","cat":"mark","name":"step 2 </script>","pid":0,"tid":0,"s":"g","ts":30000}
]}
)";
