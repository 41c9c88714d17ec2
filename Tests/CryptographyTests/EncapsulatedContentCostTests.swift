import Bytes
import Glibc
import Platform
import Testing

@testable import Cryptography

@Suite("Reading a CMS message takes linear time and little memory, whatever it contains")
struct EncapsulatedContentCostTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether it has readable content.
        let isRead: Bool
        /// Bytes that are repeated many times, and the bytes before and after them.
        let unit: [UInt8]
        let before: [UInt8]
        let after: [UInt8]

        init(
            _ name: String, _ isRead: Bool, _ unit: [UInt8], before: [UInt8] = [],
            after: [UInt8] = []
        ) {
            (testDescription, self.isRead) = (name, isRead)
            (self.unit, self.before, self.after) = (unit, before, after)
        }

        /// The message is in a file, like all large messages.
        func message(_ size: Int) throws -> SpooledBytes {
            var writer = OctetsWriter(SpoolPolicy(memory: 0))
            try writer.append(before)
            var units: [UInt8] = []
            while units.count < 20_000 { units += unit }
            while writer.count < size { try writer.append(units) }
            try writer.append(after)
            return try writer.finish()
        }
    }

    static let type: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7]
    /// The beginning of a SignedData, up to its digests or up to its content.
    static let digests = [0x30, 0x80] + type + [2, 0xa0, 0x80, 0x30, 0x80, 2, 1, 1, 0x31, 0x80]
    static let content = digests + [0, 0, 0x30, 0x80] + type + [1, 0xa0, 0x80]
    static let string: [UInt8] = [0x24, 0x80]

    @Test(
        "row by row",
        arguments: [
            Row(
                "pieces", true, [4, 0x82, 1, 0] + Array(repeating: 7, count: 256),
                before: content + string, after: [0, 0, 0, 0, 0, 0]),
            Row(
                "pieces of one byte", true, [4, 1, 7],
                before: content + string, after: [0, 0, 0, 0, 0, 0]),
            Row(
                "empty pieces", true, [4, 0], before: content + string, after: [0, 0, 0, 0, 0, 0]),
            Row(
                "empty pieces of pieces", true, [0x24, 0, 0x24, 0x80, 0, 0],
                before: content + string, after: [0, 0, 0, 0, 0, 0]),
            Row("pieces within one another", false, string, before: content),
            Row("pieces without end", false, [4, 1, 7], before: content + string),
            Row(
                "digests", true, [0x30, 0],
                before: digests, after: Array(content[digests.count...]) + [4, 1, 7, 0, 0, 0, 0]),
            Row("digests within one another", false, [0x30, 0x80], before: digests),
            Row("tags without end", false, [0xff], before: digests + [0x3f]),
            Row(
                "certificates", true, [0x30, 0x1e, 0x30, 0x12, 2, 1, 1, 0x30, 0],
                before: content + [4, 1, 7, 0, 0, 0, 0, 0xa0, 0x80]),
        ])
    func cost(row: Row) throws {
        let (small, large) = (try row.message(500_000), try row.message(2_000_000))
        let before = resident("VmRSS")
        resetPeak()
        let (short, isRead) = seconds(reading: small)
        let (long, _) = seconds(reading: large)
        #expect(isRead == row.isRead)
        #expect(long / max(short, 0.003) < 8)
        // Both messages are in files, as is content of more than a megabyte.
        #expect(resident("VmHWM") - before < 8 << 10)
    }

    /// The processor time of this thread, since other tests run at the same time, and whether there
    /// was content.
    private func seconds(reading message: SpooledBytes) -> (Double, Bool) {
        let start = threadSeconds()
        let content = try? EncapsulatedContent(of: message, spool: SpoolPolicy(memory: 1 << 20))
        return (threadSeconds() - start, content != nil)
    }
}

private func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The memory of this process in KiB: `VmRSS` is the current value, `VmHWM` the peak since the last
/// reset.
private func resident(_ key: String) -> Int {
    guard let file = try? FileDescriptor.open("/proc/self/status", O_RDONLY) else { return 0 }
    defer { file.close() }
    guard let bytes = try? ByteSource(stream: file, prefix: []).prefix(4096) else { return 0 }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
        $0.hasPrefix("\(key):")
    }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}

/// proc(5): writing 5 to clear_refs sets the peak to the current value.
private func resetPeak() {
    guard let file = try? FileDescriptor.open("/proc/self/clear_refs", O_WRONLY) else { return }
    defer { file.close() }
    try? file.writeAll([UInt8(ascii: "5")].span)
}
