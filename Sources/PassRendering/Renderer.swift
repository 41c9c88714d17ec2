internal import Bytes
internal import Confinement
internal import Foundation
import Glibc
internal import Localization
internal import PassDrawing
internal import PassModel
internal import PassVerification

/// The program: a pass file in, a picture of it out.
package enum Renderer {
    private static let usage = """
        usage: passconduit-render png|svg|pdf SCALE LANGUAGE LOCALE
               passconduit-render pictures SCALE LANGUAGES

        Draws the pass file from its standard input, and writes the picture to its standard output; or
        decodes the pictures of one pass after the other. It is started by `passconduit render`, and by
        windows.

        """

    package static func main() -> Never {
        FileDescriptor.fillClosedStreams()
        // A reader that is gone is an error as any other.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if words.first == "pictures" { servePictures(Array(words.dropFirst())) }
        guard let arguments = RenderArguments(words) else { end(EX_USAGE, usage) }
        let catalogue = Catalogue(ofProgram: CommandLine.programPath ?? "")
        catalogue.use(arguments.language, ProcessInfo.processInfo.environment)
        do {
            // Before there is anything of a stranger's in the process.
            FacePictures.prepare()
            ResourceLimits(time: 30).apply()
            _ = try Confinement(reading: Fonts.prepare() + [catalogue.folder]).apply()
            let bytes = try input()
            // Whoever had a pass to draw thought better of it.
            if bytes.isEmpty { exit(EX_NOINPUT) }
            let picture = try picture(of: Octets(bytes), arguments)
            try FileDescriptor(STDOUT_FILENO).writeAll(picture.span)
        } catch {
            end(EX_DATAERR, "passconduit-render: \(error)\n")
        }
        // Libraries clean up at exit what the system takes back anyway.
        _exit(0)
    }

    private static func servePictures(_ arguments: [String]) -> Never {
        do {
            guard try PictureServer.run(arguments) else { end(EX_USAGE, usage) }
        } catch {
            end(EX_DATAERR, "passconduit-render: \(error)\n")
        }
        _exit(0)
    }

    private static func input() throws -> [UInt8] {
        let limit = VerificationLimits().archive
        let stream = FileDescriptor(STDIN_FILENO)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = try unsafe piece.withUnsafeMutableBytes { try unsafe stream.read(into: $0) }
            guard got > 0 else { return bytes }
            guard bytes.count + got <= limit else { throw RenderError.tooLarge(limit: limit) }
            bytes += piece.prefix(got)
        }
    }

    private static func picture(
        of octets: Octets, _ arguments: RenderArguments
    ) throws -> [UInt8] {
        guard let pass = Pass(unjudged: octets) else { throw RenderError.noPass }
        let pictures = FacePictures(
            PassImages(octets: octets), of: pass, for: arguments.options)
        let face = PassFace(pass, pictures, for: arguments.options)
        switch arguments.kind {
        case .png: return try face.png(scale: arguments.scale)
        case .svg: return try face.svg()
        case .pdf: return try face.pdf(title: pass.description)
        }
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        try? FileDescriptor(STDERR_FILENO).writeAll(Array(text.utf8).span)
        exit(code)
    }
}

private enum RenderError: Error, CustomStringConvertible {
    case noPass
    case tooLarge(limit: Int)

    var description: String {
        switch self {
        case .noPass: "this is no pass"
        case .tooLarge(let limit): "the pass has more than \(limit) bytes"
        }
    }
}

extension Confinement {
    /// What fontconfig and the C library look at, and folders of fonts and words, to be read.
    fileprivate init(reading folders: [String]) {
        self.init()
        var files = [
            "/usr/share", "/usr/lib", "/usr/lib64", "/usr/local/share", "/lib", "/lib64",
            "/etc/fonts", "/etc/localtime", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf",
            "/nix/store", "/gnu/store", "/var/cache/fontconfig", "/dev/null", "/dev/urandom",
            "/proc/self", "/sys/devices/system/cpu",
        ]
        files += ProcessInfo.processInfo.environment["TZDIR"]?.components(separatedBy: ":") ?? []
        readable = (files + folders).map { Array($0.utf8) }
        overridesPermissions = false
    }
}
