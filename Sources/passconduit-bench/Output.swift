import Foundation

/// The output of a program, read in pieces: the memory of this program counts as memory of the
/// programs it starts.
struct Output {
    private(set) var lines = 0
    private(set) var lastLine = Data()

    init(in folder: URL) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: Child.output(in: folder)))
        defer { try? file.close() }
        var rest = Data()
        while let piece = try file.read(upToCount: 64 << 10), !piece.isEmpty {
            rest += piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                lastLine = Data(rest[..<end])
                rest = Data(rest[(end + 1)...])
                lines += 1
            }
        }
    }
}
