import Foundation
import PassDetection
import Testing

@testable import PassLinks

@Suite("In random pages the same links are found as by Python's html.parser and re")
struct GeneratedPagesTests {
    private static let python = "/usr/bin/python3"

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing"),
        arguments: [1, 2, 3])
    func linksAreFound(seed: Int) throws {
        let pages = try GeneratedPage.make(python: Self.python, seed: seed, count: 1000)
        #expect(pages.count == 1000)
        #expect(pages.reduce(0) { $0 + $1.urls.count } > 500)
        for page in pages {
            let links = found(page.text, isHTML: true)
            #expect(links.map(\.url) == page.urls, "\(page.text)")
            #expect(found(page.text, isHTML: true, pieces: seed * 7) == links, "\(page.text)")
        }
    }
}

/// A page, and the links to passes in it.
private struct GeneratedPage {
    let text: String
    var urls: [String] = []

    static func make(python: String, seed: Int, count: Int) throws -> [GeneratedPage] {
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("generate_links.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script.path, "\(seed)", "\(count)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        var pages: [GeneratedPage] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if line.hasPrefix("page ") {
                let size = try #require(Int(line.dropFirst(5)))
                let content = rest.prefix(size)
                pages.append(GeneratedPage(text: String(decoding: content, as: UTF8.self)))
                rest = rest.dropFirst(size + 1)
            } else if let last = pages.indices.last {
                pages[last].urls.append(String(line.dropFirst(5)))
            }
        }
        return pages
    }
}
