import Glibc

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed ^= mixed >> 33
        mixed = mixed &* 0xFF51_AFD7_ED55_8CCD
        return mixed ^ (mixed >> 33)
    }
}

/// The ratio of the time for 240 KB to that for 60 KB: 4 for linear time, 16 for quadratic. Uses
/// the processor time of this thread and the shorter of two runs, since other tests run at the same
/// time.
func timeRatio(_ input: (Int) -> [UInt8], work: ([UInt8]) -> Void) -> Double {
    func seconds(_ size: Int) -> Double {
        let bytes = input(size)
        let times = (0..<2).map { _ in
            let start = threadSeconds()
            work(bytes)
            return threadSeconds() - start
        }
        return times.min() ?? 0
    }
    return seconds(240_000) / max(seconds(60_000), 0.003)
}

private func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
