import Bytes
import Foundation
import PassCommands
import Testing

@Suite("Pictures are decoded by another process, which may end at any time", .serialized)
struct PictureProgramTests {
    /// The programs with these pictures do the same when they start.
    init() { signal(SIGPIPE, SIG_IGN) }

    /// What decodes for this process.
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

    @Test("another one goes on")
    func goesOn() throws {
        let octets = SpooledBytes(Array("no archive".utf8))
        let program = PictureProgram(scale: 2, languages: ["en"])
        // Five kinds of pictures, none there: four numbers for each.
        let none = [UInt8](repeating: 0, count: 160)
        #expect(program.pictures(of: octets) == none)
        for _ in 0..<3 {
            let decoder = try #require(decoders.first)
            #expect(kill(decoder, SIGKILL) == 0)
            #expect(program.pictures(of: octets) == none)
            #expect(!decoders.contains(decoder))
        }
    }

    @Test("it ends with who asked for it")
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
