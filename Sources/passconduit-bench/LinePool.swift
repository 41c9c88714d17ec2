/// Lines that are reused in messages, since generating them is slower than writing them.
struct LinePool {
    private var bytes: [UInt8] = []
    private var starts: [Int] = []

    /// - Parameter text: Whole lines.
    init(_ text: [UInt8]) {
        bytes = text
        starts = [0]
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(index + 1)
        }
    }

    /// Appends whole lines of about `count` bytes.
    func append(_ count: Int, to mail: inout [UInt8], _ random: inout Random) {
        var left = max(1, count * (starts.count - 1) / bytes.count)
        while left > 0 {
            let lines = min(left, starts.count / 2)
            let first = random.below(starts.count - lines)
            mail += bytes[starts[first]..<starts[first + lines]]
            left -= lines
        }
    }
}
