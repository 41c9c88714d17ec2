package import Foundation

/// A file or a folder, and the records that a scan of it must print.
package struct Sample: Sendable, CustomStringConvertible {
    package let file: URL
    package let expected: [Record]

    /// The folder is beside `Tests`.
    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Samples")

    /// The file of the authority that signed the trusted samples.
    package static let root = folder.appendingPathComponent("authority/root.pem")

    package static let all: [Sample] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.hasSuffix(".expected") }.sorted().map { name in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return Sample(
                file: folder.appendingPathComponent(String(name.dropLast(9))),
                expected: (text ?? "").split(separator: "\n").map { Record(String($0)) })
        }
    }()

    /// Its path within the folder of samples.
    package var name: String { String(file.path.dropFirst(Sample.folder.path.count + 1)) }

    package var description: String { name }

    /// Whether the sample has links and is also scanned with `--links`.
    package var hasLinks: Bool { name.hasPrefix("links/") }

    /// The file with the types that the sample's app declares, if it has one.
    package var types: URL? {
        let list = file.deletingPathExtension().appendingPathExtension("plist")
        return FileManager.default.fileExists(atPath: list.path) ? list : nil
    }

    /// The records that a scan must print, with or without links.
    package func expected(links: Bool) -> [Record] {
        links ? expected : expected.filter { !$0.isLink }
    }

    /// Differences between the found and the expected records.
    ///
    /// - Parameter links: Whether links were searched for.
    package func differences(from found: [Record], links: Bool) -> [String] {
        let expected = expected(links: links)
        guard found.count == expected.count else {
            return ["\(name): \(expected.count) records expected, found: \(found.map(\.line))"]
        }
        return zip(found, expected).flatMap { found, expected in
            expected.differences(from: found, in: file).map { "\(name): \($0) in \(found.line)" }
        }
    }
}
