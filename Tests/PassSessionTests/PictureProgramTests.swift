import Bytes
import Foundation
import PassSession
import Testing

@Suite("Images are decoded by another process, which may exit at any time", .serialized)
struct PictureProgramTests {
    /// Programs that show images ignore SIGPIPE at their start as well.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// The child processes that decode images for this one.
    private var decoders: [Int32] {
        let tasks = "/proc/self/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return names.flatMap { task in
            contents("\(tasks)/\(task)/children").split(separator: " ").compactMap { Int32($0) }
        }.filter { contents("/proc/\($0)/cmdline").contains("passconduit-render\0pictures") }
    }

    private func contents(_ path: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
    }

    @Test("a new process replaces a killed one")
    func goesOn() throws {
        let octets = SpooledBytes(Array("no archive".utf8))
        let program = PictureProgram(scale: 2, languages: ["en"])
        // The response for five kinds of images, all missing: four numbers for each.
        let none = [UInt8](repeating: 0, count: 160)
        #expect(program.pictures(of: octets) == none)
        for _ in 0..<3 {
            let decoder = try #require(decoders.first)
            #expect(kill(decoder, SIGKILL) == 0)
            #expect(program.pictures(of: octets) == none)
            #expect(!decoders.contains(decoder))
        }
    }

    @Test("it exits with its parent")
    func ends() {
        let before = Set(decoders)
        do {
            let program = PictureProgram(scale: 2, languages: ["en"])
            _ = program.pictures(of: SpooledBytes(Array("no archive".utf8)))
            #expect(Set(decoders) != before)
        }
        #expect(Set(decoders) == before)
    }
}
