/// SplitMix64: the same numbers on every machine.
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    /// `words` times eight bytes.
    mutating func bytes(_ words: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(words * 8)
        for _ in 0..<words {
            let word = next()
            for place in 0..<8 { result.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
        }
        return result
    }

    /// Usually small, occasionally large: on average a third of the range.
    mutating func size(_ range: ClosedRange<Int>) -> Int {
        let part = Double(next() >> 11) / Double(1 << 53)
        return range.lowerBound + Int(Double(range.count) * part * part)
    }

    mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}
