import Bytes
import Glibc

/// The bytes of one run, and random choices derived from them. An input is just a file of its
/// format, so a crashing input can be given to the program as it is.
struct Input {
    let bytes: [UInt8]
    /// In some runs, the bytes repeated to a size at which quadratic work would exceed libFuzzer's
    /// timeout.
    let repeated: [UInt8]?
    private var state: UInt64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // FNV-1a.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        state = hash
        let isRepeated = (hash >> 32).isMultiple(of: 256) && !bytes.isEmpty
        repeated =
            isRepeated
            ? Array(repeatElement(bytes, count: (256 << 10) / bytes.count + 1).joined()) : nil
    }

    mutating func number(in range: Range<Int>) -> Int {
        guard !range.isEmpty else { return range.lowerBound }
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int((state >> 33) % UInt64(range.count))
    }

    /// An offset to split the bytes at, including both ends.
    mutating func place() -> Int { number(in: 0..<bytes.count + 1) }

    mutating func isChosen() -> Bool { number(in: 0..<2) == 0 }
}

/// Fails if a text contains a long run of combining marks.
func expectStreamSafe(_ texts: some Sequence<String>) {
    for text in texts {
        expect(!StreamSafeText.hasLongRun(text.utf8.span), "a long run of marks in \(text)")
    }
}

/// Fails if a claim does not hold: prints it and ends the process, which libFuzzer then reports.
func expect(_ holds: Bool, _ claim: @autoclosure () -> String) {
    if !holds { stop("this does not hold: \(claim())") }
}

func stop(_ reason: String) -> Never {
    let line = Array("passconduit-fuzz: \(reason)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
}

/// Runs work that cannot fail on bytes in memory.
func always<Value, Failure: Error>(_ work: () throws(Failure) -> Value) -> Value {
    do throws(Failure) {
        return try work()
    } catch {
        stop("what reads memory fails: \(error)")
    }
}
