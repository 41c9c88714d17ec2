import Bytes
import Foundation
import Platform
import Synchronization
import Testing

@testable import Archives

/// The contents of a tar archive.
struct TarFiles: Equatable, CustomStringConvertible {
    var files: [File] = []
    var problems: [ArchiveError] = []
    /// The names of symbolic links.
    var links: [String] = []

    struct File: Equatable {
        var name: String
        var size: Int?
        var bytes: [UInt8]
    }

    init(_ source: ByteSource, limits: ArchiveLimits = ArchiveLimits(), pieces: Int = 64 << 10)
        throws
    {
        let reader = try ArchiveReader(source, .tar, limits: limits)
        while let entry = try reader.next() {
            links += reader.takeLinks()
            switch entry {
            case .problem(let error): problems.append(error)
            case .encrypted: Issue.record("tar has no encryption")
            case .links: break
            case .file(let file):
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: pieces)
                while true {
                    let got = try unsafe piece.withUnsafeMutableBytes {
                        try unsafe file.body.read(into: $0)
                    }
                    if got == 0 { break }
                    bytes += piece[..<got]
                }
                files.append(File(name: file.name, size: file.size, bytes: bytes))
            }
        }
        links += reader.takeLinks()
        if try reader.next() != nil { Issue.record("the end is the end") }
    }

    init(_ archive: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws {
        try self.init(ByteSource(SpooledBytes(archive)), limits: limits)
    }

    var names: [String] { files.map(\.name) }
    var description: String {
        "\(files.map { "\($0.name): \($0.bytes.count) of \($0.size ?? -1)" }) \(problems)"
    }
}

/// Bytes that arrive `step` at a time and can be read only once.
final class Dribble: ByteStream {
    private let bytes: SpooledBytes
    private let step: Int
    private let position = Mutex(0)

    init(_ bytes: [UInt8], step: Int) {
        self.bytes = SpooledBytes(bytes)
        self.step = step
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let start = position.withLock { $0 }
        let room = unsafe UnsafeMutableRawBufferPointer(
            rebasing: buffer[..<min(step, buffer.count)])
        let got = try unsafe bytes.read(at: start, into: room)
        position.withLock { $0 = start + got }
        return got
    }
}

/// The output of a line of `sh`, run in its own folder.
func shell(_ line: String) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "passconduit-tar-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", line]
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(line)")
    return Array(bytes)
}

/// The archive `t` written by lines of Python; `add` adds a file of `size` bytes, all `x`.
func pythonTar(_ lines: String, format: String = "GNU") throws -> [UInt8] {
    try shell(
        """
        python3 - <<'END'
        import tarfile, io, sys
        out = io.BytesIO()
        t = tarfile.open(fileobj=out, mode='w', format=tarfile.\(format)_FORMAT)
        def add(name, size=5, **fields):
            i = tarfile.TarInfo(name)
            i.size = size
            for key in fields: setattr(i, key, fields[key])
            t.addfile(i, io.BytesIO(b'x' * min(size, 1 << 20)) if size <= 1 << 20 else None)
        \(lines)
        t.close()
        sys.stdout.buffer.write(out.getvalue())
        END
        """)
}
