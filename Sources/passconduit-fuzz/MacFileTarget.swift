import Bytes
import MIME
import MailContainers
import Platform

/// A Mac file, and the attachments of a PDF document, give the same result from memory and from a
/// file, within the bounds of the format.
func fuzzMacFile(_ input: Input) {
    let attached = attachments(of: SpooledBytes(input.bytes))
    let attachedInFile = attachments(of: SpooledBytes(inFile: input.bytes))
    expect(attached == attachedInFile, "in a file there is \(attachedInFile), not \(attached)")
    expect(
        attached.reduce(0) { $0 + $1.count } <= input.bytes.count,
        "the attachments are larger than the document")
    if let repeated = input.repeated {
        let text = Array("(This file must be converted with BinHex 4.0)\n:".utf8)
        _ = FoundFile(SpooledBytes(text + repeated), .binHex)
    }
    for form in [MacFile.Form.appleSingle, .macBinary, .binHex] {
        let inMemory = FoundFile(SpooledBytes(input.bytes), form)
        let inFile = FoundFile(SpooledBytes(inFile: input.bytes), form)
        expect(inMemory == inFile, "in a file there is \(inFile), in memory \(inMemory)")
        // Three BinHex characters can encode 254 times the same byte.
        let most = form == .binHex ? min(limit, input.bytes.count * 254) : input.bytes.count
        let count = inMemory.dataFork?.count ?? 0
        expect(count <= most, "\(input.bytes.count) bytes of \(form) hold \(count)")
        expect(!inMemory.names.contains(""), "a name is empty")
    }
}

private let limit = 64 << 10

private func attachments(of octets: SpooledBytes) -> [[UInt8]] {
    var document = PDFFile(octets)
    var found: [[UInt8]] = []
    while !document.isOver {
        let next = always { () throws(FileError) in try document.takeNext() }
        if let next { found.append(next.octets.bytes) }
    }
    return found
}

private struct FoundFile: Equatable {
    private(set) var names: [String] = []
    private(set) var dataFork: [UInt8]?
    private var error: MacFileError?

    init(_ octets: SpooledBytes, _ form: MacFile.Form) {
        do throws(MacFileError) {
            let file =
                switch form {
                case .appleSingle: try MacFile(appleSingle: octets)
                case .macBinary: try MacFile(macBinary: octets)
                case .binHex: try MacFile(binHex: octets, limit: limit)
                }
            names = file.header.names
            dataFork = file.dataFork?.bytes
        } catch {
            self.error = error
        }
    }
}
