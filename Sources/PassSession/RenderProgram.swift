package import Barcodes
package import Bytes
package import Foundation
internal import Glibc
internal import PassPresentation
import Platform

/// A started `passconduit-render`, which draws passes into one picture. It is started before
/// confinement.
package struct RenderProgram {
    private let kind: PictureKind
    private let process: ChildProcess
    private let passes: FileDescriptor
    private let picture: FileDescriptor

    package static let name = "passconduit-render"
    /// In bytes. A card at the largest scale has a few megabytes.
    private static let limit = 256 << 20
    /// In bytes, for the errors of barcodes. An untrusted pass may have taken control of the
    /// program.
    private static let headLimit = 1 << 20

    package init(
        _ kind: PictureKind, scale: Int, language: String, locale: String, timeZone: TimeZone,
        hasBack: Bool
    ) throws(Failure) {
        guard var program = Program(ownedByThisOne: RenderProgram.name) else {
            throw .unreadable(
                RenderProgram.name,
                reason: Phrase(
                    "not installed: the package passconduit-viewer contains it"
                ))
        }
        self.kind = kind
        let sides = hasBack ? "both" : "front"
        let words = [
            kind.rawValue, String(scale), language, locale, timeZone.identifier, sides,
        ]
        program.arguments = words.map { Array($0.utf8) }
        do throws(FileError) {
            (process, passes, picture) = try program.startWithPipes()
        } catch {
            throw .unreadable(RenderProgram.name, reason: error.phrase)
        }
    }

    /// A picture of passes.
    package struct Drawing {
        package let picture: [UInt8]
        /// The errors of barcodes that the picture does not contain.
        package let leftOut: [BarcodeError]
    }

    /// Draws the picture. Call it once: the program ends afterwards.
    package func draw(_ drawn: [SpooledBytes]) throws(Failure) -> Drawing {
        var drawing: Drawing?
        var error: FileError?
        do throws(FileError) {
            drawing = try answer(to: drawn)
        } catch let failure {
            error = failure
        }
        let status = process.wait()
        if let drawing, status?.code == 0,
            drawing.picture.starts(with: kind.beginning)
        {
            return drawing
        }
        // Report the exit code rather than the I/O error: the program may fail before it reads the
        // passes.
        let reason =
            switch status?.code {
            case EX_UNAVAILABLE: Phrase("no font is installed")
            case EX_CANTCREAT:
                Phrase(
                    "the passes do not fit in one picture: make a PDF, or use a smaller --scale"
                )
            default:
                error?.phrase
                    ?? (drawn.count == 1
                        ? Phrase("could not draw the pass")
                        : Phrase("could not draw the passes"))
            }
        throw .unreadable(RenderProgram.name, reason: reason)
    }

    /// Nil if the program ended early.
    private func answer(to drawn: [SpooledBytes]) throws(FileError) -> Drawing? {
        defer { picture.close() }
        // The program reads all passes before it writes the picture.
        try hand(drawn)
        let limit = RenderProgram.limit
        guard let head = try picture.readMessage(limit: RenderProgram.headLimit),
            let leftOut = try? JSONDecoder().decode([BarcodeError].self, from: Data(head)),
            leftOut.count <= drawn.count
        else { return nil }
        let bytes = try ByteSource(stream: picture).octets(
            limit: limit, SpoolPolicy(memory: limit))
        return Drawing(picture: try bytes?.array() ?? [], leftOut: leftOut)
    }

    private func hand(_ drawn: [SpooledBytes]) throws(FileError) {
        defer { passes.close() }
        for octets in drawn {
            let bytes = try octets.array()
            try passes.writeMessage(bytes.span)
        }
    }
}
