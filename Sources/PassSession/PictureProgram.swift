package import Bytes
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
    private let process: ChildProcess
    private let passes: FileDescriptor
    private let pictures: FileDescriptor

    init?(_ words: [String]) {
        guard var program = Program(ownedByThisOne: RenderProgram.name) else { return nil }
        program.arguments = words.map { Array($0.utf8) }
        guard let started = try? program.startWithPipes() else { return nil }
        (process, passes, pictures) = started
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
        process.wait()
    }
}
