package import Bytes
internal import Glibc
import Platform
internal import Synchronization

/// A running `passconduit-render` that decodes images, pass after pass. A process with a window has
/// more rights than a decoder should have. The program ends when this process does.
package final class PictureProgram: Sendable {
    private let words: [String]
    private let running = Mutex<Exchange?>(nil)

    /// In bytes, for all images of a pass, each decoded at display size at most.
    private static let limit = 256 << 20

    /// - Parameters:
    ///   - scale: Pixels per point.
    ///   - languages: BCP 47 tags in order of preference.
    package init(scale: Int, languages: [String]) {
        words = ["pictures", String(scale), languages.joined(separator: ":")]
    }

    deinit { running.withLock { $0?.end() } }

    /// The decoded images of a pass file, for `FacePictures`; nil if the program is not installed
    /// or failed on them. Calls run one at a time.
    package func pictures(of octets: SpooledBytes) -> [UInt8]? {
        running.withLock { running in
            let wasRunning = running != nil
            if let answer = answer(octets, &running) { return answer }
            // An earlier pass may have made it end, so try once more.
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

/// A running process and its pipes.
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
