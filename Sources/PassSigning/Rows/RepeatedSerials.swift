/// Finds serial numbers that occur again in a run, in memory that does not grow with the run.
///
/// Wallet replaces a pass by another one with the same pass type and serial number. The names of
/// files that occur again are found in the same way.
///
/// The rows are read twice. The first time, a ``Survey`` finds the keys that may occur again. The
/// second time, only these are remembered.
///
/// ```swift
/// var survey = RepeatedSerials.Survey()
/// for serialNumber in ["1", "2", "1"] { try survey.add(serialNumber) }
/// var serials = RepeatedSerials(survey)
/// for (index, serialNumber) in ["1", "2", "1"].enumerated() {
///     if let line = serials.firstLine(of: serialNumber, on: index + 1) {
///         print("line \(index + 1) repeats line \(line)")
///     }
/// }
/// ```
public struct RepeatedSerials: Sendable {
    private let salt: Salt
    /// The keys that may occur again, and the line of the first occurrence.
    private var lines: [KeyHash: Int?]

    /// Continues after a survey of all rows.
    ///
    /// ```swift
    /// var survey = RepeatedSerials.Survey()
    /// try survey.add("A-17")
    /// let serials = RepeatedSerials(survey)
    /// ```
    public init(_ survey: Survey) {
        salt = survey.salt
        lines = Dictionary(uniqueKeysWithValues: survey.repeated.map { ($0, nil) })
    }

    /// The line on which the key occurred for the first time; nil if this is the first time.
    ///
    /// ```swift
    /// var serials = RepeatedSerials(RepeatedSerials.Survey())
    /// let line = serials.firstLine(of: pass.passTypeIdentifier, pass.serialNumber, on: row.line)
    /// ```
    ///
    /// - Parameters:
    ///   - key: The parts of the key: pass type and serial number, or the name of a file.
    ///   - line: The line of the row.
    public mutating func firstLine(of key: String..., on line: Int) -> Int? {
        let hash = salt.hash(key)
        guard let first = lines[hash] else { return nil }
        if first == nil { lines[hash] = .some(line) }
        return first
    }

    /// Finds the keys that may occur again, in a Bloom filter of 8 MiB. It suffices for ten million
    /// rows: of a million different keys it takes about three for repeated, of ten million 120,000.
    ///
    /// ```swift
    /// var survey = RepeatedSerials.Survey()
    /// try survey.add(pass.passTypeIdentifier, pass.serialNumber)
    /// ```
    public struct Survey: Sendable {
        fileprivate let salt = Salt()
        fileprivate private(set) var repeated: Set<KeyHash> = []
        private let limit: Int
        private var bits = [UInt64](repeating: 0, count: 1 << 20)

        /// Starts a survey.
        ///
        /// For example: `var survey = RepeatedSerials.Survey(limit: 1_000)`
        ///
        /// - Parameter limit: The number of different keys that may occur again.
        public init(limit: Int = 250_000) {
            self.limit = limit
        }

        /// Adds the key of a row.
        ///
        /// ```swift
        /// var names = RepeatedSerials.Survey()
        /// try names.add(OutputName.serialNumber.name(for: row, serialNumber: "A-17"))
        /// ```
        ///
        /// - Parameter key: The parts of the key, as for ``RepeatedSerials/firstLine(of:on:)``.
        /// - Throws: ``RowFileError/tooManyRepeats(limit:)`` if more keys than the limit may occur
        ///   again.
        public mutating func add(_ key: String...) throws(RowFileError) {
            let hash = salt.hash(key)
            var isNew = false
            // Four bits, by double hashing (Kirsch and Mitzenmacher, 2006).
            for round in 0..<UInt64(4) {
                let bit = hash.first &+ round &* (hash.second | 1)
                let (word, mask) = (Int(bit >> 6 & 0xF_FFFF), UInt64(1) << (bit & 63))
                isNew = isNew || bits[word] & mask == 0
                bits[word] |= mask
            }
            guard !isNew else { return }
            repeated.insert(hash)
            guard repeated.count <= limit else { throw .tooManyRepeats(limit: limit) }
        }
    }
}

/// 128 bits of SipHash with a random key: nobody can choose two keys that have the same.
private struct KeyHash: Hashable, Sendable {
    let first: UInt64
    let second: UInt64
}

private struct Salt: Sendable {
    private let first = UInt64.random(in: .min ... .max)
    private let second = UInt64.random(in: .min ... .max)

    func hash(_ key: [String]) -> KeyHash {
        KeyHash(first: hash(key, first), second: hash(key, second))
    }

    private func hash(_ key: [String], _ salt: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(salt)
        for var part in key {
            // The bytes, since equal texts may differ in them.
            hasher.combine(part.utf8.count)
            part.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
