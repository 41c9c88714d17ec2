internal import Bytes
internal import Glibc

/// `passconduit-render`, started while programs can be started: it draws one pass.
struct RenderProgram {
    private let process: pid_t
    private let pass: FileDescriptor
    private let picture: FileDescriptor

    static let name = "passconduit-render"
    /// A card at the largest scale has a few megabytes.
    private static let limit = 64 << 20

    init(
        _ kind: PictureKind, scale: Int, language: String, locale: String
    ) throws(Failure) {
        guard var program = OtherProgram(ownedByThisOne: RenderProgram.name) else {
            throw .unreadable(
                RenderProgram.name,
                reason: "this program, which draws, is not installed: the package "
                    + "passconduit-viewer has it")
        }
        program.arguments = [kind.rawValue, String(scale), language, locale].map { Array($0.utf8) }
        do throws(FileError) {
            let (input, pass) = try FileDescriptor.pipe()
            defer { input.close() }
            let (picture, output) = try FileDescriptor.pipe()
            defer { output.close() }
            process = try program.start(input: input, output: output)
            self.pass = pass
            self.picture = picture
        } catch {
            throw .unreadable(RenderProgram.name, reason: error.description)
        }
    }

    /// The picture. It can be asked for once: what draws ends with it.
    func draw(_ octets: Octets) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            defer { picture.close() }
            // All of the pass is taken before any of the picture is given.
            try hand(octets)
            let limit = RenderProgram.limit
            bytes =
                try ByteSource(stream: picture).octets(limit: limit, SpoolPolicy(memory: limit))?
                .array() ?? []
        } catch {
            throw .unreadable(RenderProgram.name, reason: error.description)
        }
        guard let status = ExitStatus(of: process), status.signal == 0, status.code == 0,
            !bytes.isEmpty
        else { throw .unreadable(RenderProgram.name, reason: "it could not draw the pass") }
        return bytes
    }

    private func hand(_ octets: Octets) throws(FileError) {
        defer { pass.close() }
        try octets.forEachPiece { piece throws(FileError) in
            try pass.writeAll(piece)
            return true
        }
    }
}
