internal import Bytes
internal import Glibc
internal import PassVerification
internal import Platform

/// The files of published passes, named by SHA-256: `passes/ab/abcdef….pkpass`.
struct PublishedFiles: Sendable {
    let root: String

    func path(of sha256: String) -> String {
        "\(root)/passes/\(sha256.prefix(2))/\(sha256).pkpass"
    }

    func write(_ pass: VerifiedPass) throws(ServiceError) {
        let path = path(of: pass.sha256)
        do throws(FileError) {
            try DurableFile.makeFolder("\(root)/passes/\(pass.sha256.prefix(2))".utf8)
            try DurableFile(path.utf8).write(mode: 0o600) { file throws(FileError) in
                try pass.octets.forEachPiece { piece throws(FileError) in
                    try file.writeAll(piece)
                    return true
                }
            }
        } catch {
            throw .cannotWrite(path: path, code: error.code)
        }
    }

    /// Nil if there is no such file.
    func contents(of pass: PublishedPass) throws(ServiceError) -> [UInt8]? {
        let path = path(of: pass.sha256)
        do throws(FileError) {
            let file = try FileDescriptor.open(path, O_RDONLY)
            defer { file.close() }
            var buffer = [UInt8](repeating: 0, count: min(pass.size + 1, 256 << 10))
            var bytes: [UInt8] = []
            while bytes.count <= pass.size {
                let got = try file.read(into: &buffer)
                guard got > 0 else { break }
                bytes += buffer[..<got]
            }
            guard bytes.count == pass.size else { throw FileError(.read, EIO) }
            return bytes
        } catch {
            switch error.code {
            case ENOENT: return nil
            case EIO: throw .damagedFile(path)
            default: throw .cannotRead(path: path, code: error.code)
            }
        }
    }

    /// No error if the file does not exist.
    func remove(_ sha256: String) throws(ServiceError) {
        let path = path(of: sha256)
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw .cannotWrite(path: path, code: errno)
    }
}
