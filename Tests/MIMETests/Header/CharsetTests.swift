import Foundation
import Testing

@testable import MIME

@Suite("Bytes of a named character set become text")
struct CharsetTests {
    /// The output of the iconv program, without the bytes that it cannot convert.
    private func iconv(_ bytes: [UInt8], from set: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/iconv")
        process.arguments = ["-c", "-f", set, "-t", "UTF-8"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    @Test(
        "windows-1252 and its aliases, each byte as the system maps it",
        arguments: ["windows-1252", "CP1252", "iso-8859-1", "x-cp1252", "latin1"])
    func windows1252(name: String) throws {
        let bytes = (UInt8.min...UInt8.max).map { $0 }
        let text = Charset.decode(bytes, name)
        #expect(text.unicodeScalars.count == 256)
        #expect(text.unicodeScalars.count { $0 == "\u{FFFD}" } == 5)
        #expect(
            String(text.unicodeScalars.filter { $0 != "\u{FFFD}" })
                == (try iconv(bytes, from: "WINDOWS-1252")))
    }

    @Test(
        "the many names that mailers use for one set",
        arguments: [
            ("win-1251", "CP1251"), ("x-cp1250", "CP1250"), ("windows-1253", "CP1253"),
            ("koi8-r", "KOI8-R"), ("sjis", "CP932"),
        ])
    func names(name: String, table: String) throws {
        let bytes: [UInt8] = [0x41, 0xC0, 0xC1, 0x42]
        #expect(Charset.decode(bytes, name) == (try iconv(bytes, from: table)))
    }
}
