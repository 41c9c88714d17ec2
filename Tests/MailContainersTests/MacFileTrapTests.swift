import Bytes
import MIME
import MailContainers
import PassFixtures
import Testing

@Suite("Decoding a damaged Mac file takes time in proportion to its length")
struct MacFileTrapTests {
    private static let forms: [(form: MacFile.Form, sample: String)] = [
        (.appleSingle, "mac-applesingle"), (.macBinary, "mac-binary"), (.binHex, "mac-binhex"),
    ]

    private func open(_ form: MacFile.Form, _ bytes: [UInt8]) throws(MacFileError) -> MacFile {
        let octets = SpooledBytes(bytes)
        return switch form {
        case .appleSingle: try MacFile(appleSingle: octets)
        case .macBinary: try MacFile(macBinary: octets)
        case .binHex: try MacFile(binHex: octets, limit: 1 << 20)
        }
    }

    @Test(arguments: forms) func everyBeginningIsWholeOrRefused(
        _ row: (form: MacFile.Form, sample: String)
    ) throws {
        let bytes = try MailSample.part(row.sample)
        let pass = try MailSample.Pass.small.bytes()
        var truncated = 0
        for count in 0..<bytes.count {
            do throws(MacFileError) {
                let file = try open(row.form, Array(bytes[..<count]))
                #expect((try? file.dataFork?.array()) == pass, "\(count) bytes")
            } catch .notOfForm(row.form) {
                #expect(truncated == 0)
            } catch {
                guard case .truncated(let name) = error else {
                    Issue.record(error)
                    return
                }
                #expect("ticket.pkpass".hasPrefix(name ?? ""))
                truncated += 1
            }
        }
        #expect(truncated >= pass.count)
    }

    @Test(arguments: forms) func damageAnywhereIsSurvived(
        _ row: (form: MacFile.Form, sample: String)
    ) throws {
        let bytes = try MailSample.part(row.sample)
        for place in bytes.indices.prefix(300) {
            for value in [0, 1, 0x3A, 0x7F, 0x90, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                let file = try? open(row.form, damaged)
                #expect(file?.dataFork?.count ?? 0 <= bytes.count)
            }
        }
    }

    @Test(arguments: [
        (MacFile.Form.appleSingle, ""), (.appleSingle, "\0\u{5}\u{16}\u{1}"),
        (.macBinary, ""), (.macBinary, String(repeating: "\0", count: 128)),
        (.macBinary, "\0\u{1}" + String(repeating: "x", count: 126)),
        (.binHex, ""), (.binHex, ":"), (.binHex, ":)"), (.binHex, "hello"),
        (.binHex, "(This file must be converted with BinHex 4.0)"),
        (.binHex, "(This file must be converted with BinHex 4.0)\n\n:is from a Mac.\n"),
        (.binHex, "(This file must be converted with BinHex 4.0)\n:!!!!!!!!!!!!!!!!!!!!!!!:"),
        (.binHex, "text (This file must be converted with BinHex 4.0)\n:\"QBZC'&dB3\"849K868&$33:"),
    ])
    func otherOctetsAreRefused(form: MacFile.Form, text: String) {
        #expect(throws: MacFileError.notOfForm(form)) { _ = try open(form, Array(text.utf8)) }
    }

    /// A table whose entries all claim the greatest possible length.
    @Test func lengthsOfAppleSingleAreNotBelieved() throws {
        let start: [UInt8] = [0, 5, 0x16, 0, 0, 2, 0, 0] + [UInt8](repeating: 0, count: 16)
        let far: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        let name = start + [0, 1, 0, 0, 0, 3] + far
        #expect(try open(.appleSingle, name).header.names == [])
        let fork = start + [0, 1, 0, 0, 0, 1] + far
        #expect(throws: MacFileError.truncated(nil)) {
            _ = try open(.appleSingle, fork)
        }
        let many = start + [0xFF, 0xFF] + [UInt8](repeating: 0, count: 120)
        #expect(throws: MacFileError.truncated(nil)) {
            _ = try open(.appleSingle, many)
        }
    }

    /// A ratio of 4 means linear time, 16 quadratic. Other tests run at the same time.
    @Test(arguments: ["(This file must be converted\n", "\n:", "!!!!", "\n", "(This", ":!"])
    func costGrowsWithText(text: String) throws {
        let marker = "(This file must be converted with BinHex 4.0)\n:"
        for start in ["", marker] {
            let small = try seconds(start, text, 100_000)
            let large = try seconds(start, text, 400_000)
            #expect(large / max(small, 0.005) < 8, "\(small) s and \(large) s")
        }
    }

    /// The shorter processor time of two runs, in this thread.
    private func seconds(_ start: String, _ text: String, _ size: Int) throws -> Double {
        let bytes = Array((start + String(repeating: text, count: size / text.utf8.count)).utf8)
        var shortest = Double.infinity
        for _ in 0..<2 {
            let begin = threadSeconds()
            _ = try? open(.binHex, bytes)
            shortest = min(shortest, threadSeconds() - begin)
        }
        return shortest
    }

    /// A header that claims 300,000 bytes, and runs of 255 of them.
    @Test func runsAreLimitedByWhatTheHeaderSays() throws {
        let size = 300_000
        var bytes: [UInt8] = [1, UInt8(ascii: "a"), 0] + [UInt8](repeating: 0, count: 10)
        bytes += [0, 0x04, 0x93, 0xE0, 0, 0, 0, 0]
        // The checksum of Python's binascii.crc_hqx.
        bytes += [0x71, 0x00, 0x61]
        for _ in 0..<20_000 { bytes += [0x90, 0xFF] }
        let file = try MacFile(binHex: SpooledBytes(binHex(bytes)), limit: size)
        #expect(file.dataFork?.count == size)
        #expect(throws: MacFileError.tooLarge("a", limit: size - 1)) {
            _ = try MacFile(binHex: SpooledBytes(binHex(bytes)), limit: size - 1)
        }
    }

    /// Encodes bytes whose runs are already marked.
    private func binHex(_ bytes: [UInt8]) -> [UInt8] {
        let characters = Array(
            "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr".utf8)
        var text = [UInt8(ascii: ":")]
        var bits = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.append(characters[bits >> count & 63])
            }
        }
        return text + [UInt8(ascii: ":")]
    }
}
