internal import Barcodes
internal import Bytes
internal import Confinement
internal import Foundation
import Glibc
internal import Localization
internal import PassDrawing
internal import PassModel
internal import PassVerification
internal import Platform

/// The program `passconduit-render`: reads pass files and writes a picture of them.
package enum Renderer {
    private static let kinds = PictureKind.allCases.map(\.rawValue).joined(separator: "|")
    private static let usage = """
        usage: passconduit-render \(kinds) SCALE LANGUAGES LOCALE TIMEZONE front|both
               passconduit-render pictures SCALE LANGUAGES

        Draws passes from its standard input, and writes to its standard output which barcodes were left
        out, and the picture; or decodes the pictures of one pass after the other. It is started by `passconduit render`, and by windows.

        """

    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // An error from writing to a closed output is reported like any other.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "pictures" { servePictures(Array(words.dropFirst())) }
        guard let arguments = RenderArguments(words) else { end(EX_USAGE, usage) }
        let catalogue = Catalogue(
            arguments.languages, ofProgram: CommandLine.programPath ?? "")
        Catalogue.takeLocale()
        catalogue?.use()
        let folders = [catalogue?.folder].compactMap(\.self)
        do {
            // Before any untrusted data is read.
            FacePictures.prepare()
            ResourceLimits(time: 30).apply()
            _ = try ProcessRights(reading: Fonts.prepare() + folders).apply()
            guard let (picture, leftOut) = try picture(arguments) else {
                // The caller sent no pass.
                exit(EX_NOINPUT)
            }
            let output = FileDescriptor(STDOUT_FILENO)
            try output.writeMessage(Array(JSONEncoder().encode(leftOut)).span)
            try output.writeAll(picture.span)
        } catch DrawingError.noFont {
            // The caller reports it.
            exit(EX_UNAVAILABLE)
        } catch DrawingError.tooLarge {
            exit(EX_CANTCREAT)
        } catch {
            end(EX_DATAERR, reason(error))
        }
        // Skip the cleanup of libraries at exit.
        _exit(0)
    }

    private static func servePictures(_ arguments: [String]) -> Never {
        do {
            guard try PictureServer.run(arguments) else { end(EX_USAGE, usage) }
        } catch {
            end(EX_DATAERR, reason(error))
        }
        _exit(0)
    }

    /// The picture and the errors of barcodes that it does not contain; nil if there is nothing to
    /// draw.
    private static func picture(
        _ arguments: RenderArguments
    ) throws -> (picture: [UInt8], leftOut: [BarcodeError])? {
        let (input, limit) = (FileDescriptor(STDIN_FILENO), VerificationLimits().archive)
        var rows: [[PassFace]] = []
        var leftOut: [BarcodeError] = []
        var title: String?
        while let bytes = try input.readMessage(limit: limit) {
            guard let file = UnjudgedPass(SpooledBytes(bytes)) else { throw NoPass() }
            let pass = file.pass
            let pictures = FacePictures(file.images, of: pass, for: arguments.options)
            let front = PassFace(pass, pictures, for: arguments.options)
            if let error = front.barcodeError { leftOut.append(error) }
            rows.append([front])
            if arguments.hasBack {
                rows[rows.count - 1].append(PassFace(backOf: pass, for: arguments.options))
            }
            title =
                title ?? pass.localized(for: arguments.options.languages).localizedDescription
        }
        guard let title else { return nil }
        let sheet = FaceSheet(rows)
        let picture =
            switch arguments.kind {
            case .png: try sheet.png(scale: arguments.scale)
            case .svg: try sheet.svg()
            case .pdf: try sheet.pdf(title: title)
            }
        return (picture, leftOut)
    }

    /// The system's message for an error of the system. The caller reports other errors.
    private static func reason(_ error: any Error) -> String {
        (error as? FileError).map { "passconduit-render: \($0.reason)\n" } ?? ""
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        try? FileDescriptor(STDERR_FILENO).writeAll(Array(text.utf8).span)
        exit(code)
    }
}

private struct NoPass: Error {}

extension ProcessRights {
    /// Read access for fontconfig and the C library, and for folders of fonts and catalogues.
    fileprivate init(reading folders: [String]) {
        self.init()
        let environment = ProcessInfo.processInfo.environment
        readable = SystemFiles.common(environment) + SystemFiles.fonts
        readable += folders.map { Array($0.utf8) }
        overridesPermissions = false
    }
}
