import Bytes
import Foundation
import PassDetection
import PassVerification
import Platform
import Testing

@testable import PassImport

@Suite("Only bytes that no other program can change are judged")
struct UnpackerTests {
    @Test("a pass in a file is copied, and so is one in a Mac file", arguments: [true, false])
    func copied(isMacFile: Bool) throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/generic-gym")
        // AppleSingle with a data fork behind 1 MiB of padding.
        var start: [UInt8] = [0, 5, 22, 0, 0, 2, 0, 0]
        start += Array(repeating: 0, count: 16) + [0, 1, 0, 0, 0, 1, 0, 0x10, 0, 38]
        for shift in [24, 16, 8, 0] { start.append(UInt8(truncatingIfNeeded: pass.count >> shift)) }
        start += Array(repeating: 0, count: 1 << 20)
        if !isMacFile { start = Array(repeating: 0, count: 1 << 20) }
        try tree.write(Data(start) + pass, to: "a")
        let path = tree.url.appendingPathComponent("a").path
        let octets = SpooledBytes(
            lookingInto: try .open(path, O_RDONLY), size: start.count + pass.count)
        var options = try MailTree.options()
        options.keepsPasses = true
        var unpacker = Unpacker(options)
        unpacker.enqueue(file: octets, at: PartLocation("a"))
        var events: [Event] = []
        while unpacker.isWaiting { unpacker.judgeNext(into: &events) }
        guard case .pass(let found)? = events.first, let verified = found.verification.verified
        else {
            Issue.record("no pass in \(events)")
            return
        }
        #expect(octets.mayChange && octets.slice(1..<2).mayChange)
        #expect(!verified.octets.mayChange)
    }
}
