// What a typical current core does in a cycle, where nothing has been measured. All prices start from
// these.
#pragma once

namespace emulsion {

// Bytes per cycle and core from the private and from the shared cache, and cycles to start a task.
inline constexpr double kPrivateCacheBytesPerCycle = 32.0;
inline constexpr double kSharedCacheBytesPerCycle = 12.0;
inline constexpr double kTaskCycles = 2000.0;
// The share of the private cache that one operand may fill and still stay there.
inline constexpr double kPrivateCacheShare = 0.7;

}  // namespace emulsion
