import Archives
import Compression
import Glibc
import MIME
import MailContainers
import MailSource
import PassImport
import PassLinks
import Platform
import Testing

@testable import PassPresentation

@Suite("Problems of reading have a message")
struct ReadingPhrasesTests {
    @Test(
        "in English",
        arguments: [
            (.unreadable(FileError(.read, EIO)), "cannot read: input/output error"),
            (.vanished(FileError(.open, ENOENT)), "cannot open: no such file or directory"),
            (.source(.linkLoop), "the link leads to itself"),
            (.source(.notAFile(.device)), "is a device, neither a file nor a directory"),
            (.message(.partTooLarge(limit: 224 << 20)), "the part is larger than 224 MiB"),
            (
                .container(.tnef(.attachmentTruncated(name: "a.pkpass"))),
                "the attachment a.pkpass is cut short"
            ),
            (
                .container(.outlook(.body(BodyProblem(name: "body.rtf", reason: .damaged)))),
                "body.rtf of the message is damaged"
            ),
            (
                .compression(.damaged(.xz, offset: 7, .noHeader)),
                "the xz data is damaged before byte 7: it has no xz header"
            ),
            (
                .archive(.damagedHeader(offset: 1024)),
                "the archive is damaged: there is no header at byte 1024"
            ),
            (.dataURL(.tooLarge(64 << 20)), "this data: URL holds more than 64 MiB"),
            (
                .incomplete(pieces: [1, 3], total: 4),
                "a message was sent in 4 fragments, and only these arrived: 1, 3"
            ),
            (.limit(.time(seconds: 60)), "it took more than 60 seconds of processor time"),
            (
                .limit(.linkData(bytes: 64 << 20)),
                "the links of the message contain more than 64 MiB of passes"
            ),
        ] as [(Problem.Kind, String)])
    func english(kind: Problem.Kind, words: String) {
        #expect(kind.phrase.english == words)
    }

    @Test("frequent system errors are translated, others are in the system's words")
    func system() {
        #expect(
            FileError(.makeFolderIn("/a"), EACCES).phrase.english
                == "cannot create a folder in /a: permission denied")
        let rare = FileError(.write, EPIPE)
        #expect(rare.phrase.english == "cannot write: broken pipe")
        #expect(rare.phrase.catalogueTexts == ["cannot write: {reason}"])
        for code in 1..<133 as Range<CInt> {
            let error = FileError(.open, code)
            #expect(error.reasonPhrase.english == error.reason)
        }
    }

    @Test("in every catalogue", arguments: PortableCatalogue.all)
    func catalogues(catalogue: PortableCatalogue) {
        catalogue.expect(ReadingSamples.operations.map { FileError($0, ENOSPC).phrase })
        catalogue.expect((1..<133).map { FileError(.open, $0).phrase })
        catalogue.expect(ReadingSamples.sourceProblems.map(\.phrase))
        catalogue.expect(ReadingSamples.mailProblems.map(\.phrase))
        catalogue.expect(ReadingSamples.containerProblems.map(\.phrase))
        catalogue.expect(ReadingSamples.compressionErrors.map(\.phrase))
        catalogue.expect(ReadingSamples.archiveErrors.map(\.phrase))
        catalogue.expect(ReadingSamples.dataURLErrors.map(\.phrase))
        catalogue.expect(ReadingSamples.limits.map(\.phrase))
        catalogue.expect(ReadingSamples.ownProblems.map(\.phrase))
        catalogue.expect(ReadingSamples.typeDeclarationErrors.map(\.phrase))
        catalogue.expect([FileType.empty, .media("a/b"), .unknown].map(\.phrase))
    }
}
