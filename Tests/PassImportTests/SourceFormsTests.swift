import Bytes
import Foundation
import Glibc
import MIME
import MailSource
import PassImport
import PassLinks
import PassVerification
import Testing

@Suite("A pass that is found in a file is found wherever that file is")
struct SourceFormsTests {
    @Test(
        "in a folder, attached, in an archive, compressed and downloaded",
        arguments: SourceForm.allCases)
    func found(form: SourceForm) async throws {
        let file = try #require(try FormedFile.all.get()[form.rawValue])
        let results = try await file.results()
        let expected = ["trusted \(file.sha256)"]
        for carrier in Carrier.allCases {
            let result = results[carrier, default: []]
            if let reason = notFound(form, carrier) {
                #expect(result != expected, "\(carrier): found, although \(reason)")
            } else {
                #expect(result == expected, "\(carrier)")
            }
        }
    }

    @Test("the script makes these forms and no others")
    func forms() throws {
        let made = try Set(FormedFile.all.get().keys)
        #expect(made == Set(SourceForm.allCases.map(\.rawValue)))
    }
}

/// A form in which a file contains a pass. `generate_source_forms.py` makes them.
enum SourceForm: String, CaseIterable {
    case pass, passAfterOtherBytes, passBeforeOtherBytes, passInFolder
    case bundle, zip, zipOfUnnamedPass, zipInZip, zipAfterOtherBytes, zipOfMessage, tar, tarOfMbox
    case tarOfMessage, tarInPax, tarInGNU, tarInVersion7
    case base64OfPass, base64OfPassBetweenArmor, base64OfZip, base64OfTar, base64OfGzip
    case base64OfMessage, base64OfPassAfterFields, base64OfPassTwice, base64OfPassInDataURL
    case base64OfPassInUTF16, base64OfPassInUTF16BigEndian, base64OfPassInUTF16WithoutMark
    case base64OfPassForURLs, base64OfPassForURLsTwice, base64OfPassInString
    case message, messageWithMark, messageAfterBlankLines, messageOfOldMac, messageInUTF16
    case messageAfterCalendarLine, messageAfterJunkInCyrus, messageAfterJunkNamedMsg
    case messageAfterJunkNamedEmlx
    case messageInUTF16BigEndian, messageWithUuencodedText, messageInMessage, signedMessage
    case mbox, mboxOfOldMac, mboxInUTF16, mmdf, babyl, batchSMTP, emlx, emlxWithoutList
    case sdbox, mdbox, mdboxCompressed, mbx
    case gmailRaw, gmailParts, graph, har, calendar, card
    case graphInUTF8WithMark, graphInUTF16, graphInUTF16WithoutMark
    case response, responseInChunks, responseCompressed, webArchive, webArchiveInXML
    case warc, gzOfWarc, pdf
    case openPGP, openPGPInPieces, openPGPCompressed, openPGPArmor
    case winmail, outlook, appleSingle, macBinary, macBinaryNamedAsPass, binHex, binHexOfOldMac
    case signed, signedInPieces, signedSinglePart, signedTwice, compressed
    case gzOfPass, xzOfPass, zstOfPass, bz2OfPass, gzOfMbox, xzOfMbox, zstOfMbox, bz2OfMbox
    case gzOfTar, gzOfZip
    case sevenZip, sevenZipOfMbox, rar4, rar5, rarOfMbox, newcCPIO, odcCPIO, binCPIO, swappedCPIO
    case cpioOfMbox, ar, debianPackage, iso, isoWithJoliet, isoOfMbox
    case lz4OfPass, lz4OfMbox, lzmaOfPass, lzmaOfMbox, lzOfPass, lzOfMbox, zOfPass, zOfMbox
}

/// The carrier of the file. In those that begin with `named`, the file has the usual name of its
/// form; in the others it is `file.dat`.
enum Carrier: String, CaseIterable {
    /// A folder.
    case file, namedFile
    /// The command line.
    case argument, namedArgument
    case standardInput
    case download, namedDownload
    /// A `data:` URL on the command line, and one in a message.
    case dataURL, dataLink
    case attachment, namedAttachment
    case attachmentInMbox, namedAttachmentInMbox
    case zipMember, namedZipMember
    case tarMember, namedTarMember
    case gzip, namedGzip
    /// Apple Mail's folder for attachments.
    case fileBesideMessage, namedFileBesideMessage
}

/// Why a pass in this form is not found in this carrier.
private func notFound(_ form: SourceForm, _ carrier: Carrier) -> String? {
    notFound.first { $0.forms.contains(form) && $0.carriers.contains(carrier) }?.reason
}

private let attached: Set<Carrier> = [.attachment, .attachmentInMbox]
private let namedAttached: Set<Carrier> = [.namedAttachment, .namedAttachmentInMbox]
/// The carriers whose contents are opened only if a short prefix shows that they may hold a pass.
private let members: Set<Carrier> = [.zipMember, .tarMember, .gzip, .fileBesideMessage]
private let unnamed: Set<Carrier> = attached.union(members).union([
    .file, .argument, .standardInput, .download, .dataURL,
])

private let notFound: [(forms: Set<SourceForm>, carriers: Set<Carrier>, reason: String)] = [
    (
        [.passAfterOtherBytes], unnamed.union([.namedGzip]).subtracting([.standardInput]),
        "only its name shows that it may be a pass"
    ),
    (
        [.zipAfterOtherBytes], unnamed.union([.namedGzip]).subtracting([.standardInput]),
        "only its name shows that it may be an archive"
    ),
    (
        [.iso, .isoWithJoliet, .isoOfMbox], attached,
        "the signature of a disc image is at byte 32,769, after the first line"
    ),
    (
        [.pdf], attached.union(namedAttached),
        "PDF files attached to mail are not opened"
    ),
    (
        [.messageAfterCalendarLine],
        unnamed.union([.dataLink]).subtracting([.standardInput]),
        "only its name shows that it is mail"
    ),
    (
        [.messageAfterJunkInCyrus, .messageAfterJunkNamedMsg, .messageAfterJunkNamedEmlx],
        unnamed.union([.dataLink]).subtracting([.standardInput]).subtracting(attached),
        "only its name shows that it is mail"
    ),
    (
        [.messageAfterJunkInCyrus], [.namedDownload, .namedFileBesideMessage],
        "servers and mailers add final dots to other names"
    ),
]

/// The files with a pass in one form.
private struct FormedFile: Decodable {
    let usualName: String
    let sha256: String
    /// The files of each carrier, by path.
    let carriers: [String: [String: Data]]

    /// By form.
    static let all = Result {
        let script = MailTree.package.appendingPathComponent(
            "Tests/PassImportTests/generate_source_forms.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-B", script.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let json = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([String: FormedFile].self, from: json)
    }

    /// A line for each pass and problem in each carrier.
    func results() async throws -> [Carrier: [String]] {
        let tree = try MailTree()
        defer { tree.remove() }
        for (carrier, files) in carriers {
            for (path, content) in files { try tree.write(content, to: "\(carrier)/\(path)") }
        }
        var results: [Carrier: [String]] = [:]
        var options = try MailTree.options()
        // After these bytes, standard input is empty.
        options.standardInputHead = try bytes
        let null = unsafe open("/dev/null", O_RDONLY)
        dup2(null, STDIN_FILENO)
        close(null)
        let inputs = try Carrier.allCases.map { try input($0, tree) }
        _ = try await PassImport.run(inputs, options) { event in
            let (source, line): (String, String)
            switch event {
            case .pass(let found):
                source = found.source
                line = "\(found.verification.verdict) \(found.verification.sha256)"
            case .problem(let problem): (source, line) = (problem.source, problem.code)
            case .link: return
            }
            try results[#require(carrier(of: source, tree)), default: []].append(line)
        }
        return results
    }

    private var bytes: [UInt8] {
        get throws { Array(try #require(carriers[Carrier.file.rawValue]?.values.first)) }
    }

    private func input(_ carrier: Carrier, _ tree: MailTree) throws -> Input {
        let folder = tree.url.appendingPathComponent(carrier.rawValue)
        switch carrier {
        case .argument, .namedArgument:
            let name = try #require(carriers[carrier.rawValue]?.keys.first)
            return .path(Path(folder.appendingPathComponent(name).path))
        case .standardInput:
            return .standardInput
        case .download, .namedDownload:
            let name = carrier == .download ? nil : "attachment; filename=\"\(usualName)\""
            let header = PartHeader(
                contentType: "application/octet-stream", contentDisposition: name)
            return .download(
                DownloadedFile(
                    .octets(SpooledBytes(try bytes)), source: carrier.rawValue, header: header))
        case .dataURL:
            let body = try Data(bytes).base64EncodedString()
            let url = try DataURL(Array("data:application/octet-stream;base64,\(body)".utf8))
            return .download(DownloadedFile(url, shown: carrier.rawValue))
        default:
            return .path(Path(folder.path))
        }
    }

    private func carrier(of source: String, _ tree: MailTree) -> Carrier? {
        if source == "-" { return .standardInput }
        let path = source.dropPrefix(tree.url.path + "/")
        return Carrier(rawValue: String(path.prefix { $0 != "/" }))
    }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> Substring {
        hasPrefix(prefix) ? dropFirst(prefix.count) : self[...]
    }
}
