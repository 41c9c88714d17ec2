package import Bytes
internal import Glibc
internal import Synchronization

/// `passconduit-render` as what decodes pictures, for one pass after the other: windows have rights that no
/// decoder should have. It ends with this process.
package final class PictureProgram: Sendable {
    private let words: [String]
    private let running = Mutex<Exchange?>(nil)

    /// All pictures of a pass together; each is as large as it is shown at most.
    private static let limit = 256 << 20

    /// - Parameters:
    ///   - scale: For how many pixels a point.
    ///   - languages: BCP 47, the best first.
    package init(scale: Int, languages: [String]) {
        words = ["pictures", String(scale), languages.joined(separator: ":")]
    }

    deinit { running.withLock { $0?.end() } }

    /// The pictures of a pass file, to be read by `FacePictures`; nil where they cannot be decoded, as
    /// the program is not installed, or ended over them. Passes wait for each other.
    package func pictures(of octets: SpooledBytes) -> [UInt8]? {
        running.withLock { running in
            let wasRunning = running != nil
            if let answer = answer(octets, &running) { return answer }
            // One that ended may have had enough of the passes before.
            return wasRunning ? answer(octets, &running) : nil
        }
    }

    private func answer(_ octets: SpooledBytes, _ running: inout Exchange?) -> [UInt8]? {
        running = running ?? Exchange(words)
        if let answer = running?.answer(to: octets, limit: PictureProgram.limit) { return answer }
        running?.end()
        running = nil
        return nil
    }
}

/// A running one, and the ways to it and from it.
private struct Exchange {
    private let process: pid_t
    private let passes: FileDescriptor
    private let pictures: FileDescriptor

    init?(_ words: [String]) {
        guard var program = OtherProgram(ownedByThisOne: RenderProgram.name),
            let (input, passes) = try? FileDescriptor.pipe()
        else { return nil }
        defer { input.close() }
        program.arguments = words.map { Array($0.utf8) }
        self.passes = passes
        guard let (pictures, output) = try? FileDescriptor.pipe() else {
            passes.close()
            return nil
        }
        defer { output.close() }
        self.pictures = pictures
        guard let process = try? program.start(input: input, output: output) else {
            passes.close()
            pictures.close()
            return nil
        }
        self.process = process
    }

    package func answer(to octets: SpooledBytes, limit: Int) -> [UInt8]? {
        guard let bytes = try? octets.array(), (try? passes.writeMessage(bytes.span)) != nil else {
            return nil
        }
        return (try? pictures.readMessage(limit: limit)) ?? nil
    }

    package func end() {
        passes.close()
        pictures.close()
        _ = ExitStatus(of: process)
    }
}
