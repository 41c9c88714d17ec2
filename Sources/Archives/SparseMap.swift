/// The positions of the stored bytes of a sparse file in a tar archive. The holes between them are
/// zeros and are not stored.
struct SparseMap: Sendable {
    /// The size of the file, in bytes.
    let size: Int
    private let runs: [Range<Int>]
    private var run = 0
    private var position = 0

    /// Nil if the map is not that of a file with so many stored bytes.
    ///
    /// - Parameter numbers: The offset and the length of each run.
    init?(_ numbers: [Int], size: Int, stored: Int) {
        guard numbers.count.isMultiple(of: 2) else { return nil }
        var runs: [Range<Int>] = []
        var (end, count) = (0, 0)
        for index in stride(from: 0, to: numbers.count, by: 2) {
            let (start, length) = (numbers[index], numbers[index + 1])
            guard start >= end, start <= size, length >= 0, length <= size - start else {
                return nil
            }
            end = start + length
            count += length
            if length > 0 { runs.append(start..<end) }
        }
        guard count == stored else { return nil }
        self.size = size
        self.runs = runs
    }

    /// The number of bytes up to the next hole, or up to its end; nil at the end of the file.
    var piece: (count: Int, isHole: Bool)? {
        guard position < size else { return nil }
        guard run < runs.count else { return (size - position, true) }
        let start = runs[run].lowerBound
        return position < start
            ? (start - position, true) : (runs[run].upperBound - position, false)
    }

    /// Proceeds within the current piece.
    mutating func advance(by count: Int) {
        position += count
        if run < runs.count, position >= runs[run].upperBound { run += 1 }
    }
}
