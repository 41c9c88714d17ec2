import Foundation

/// A directory that goes when the test is over.
final class Scratch: Sendable {
    let url: URL

    init() {
        url = URL(fileURLWithPath: NSTemporaryDirectory())
            .appendingPathComponent("passconduit-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func files(_ folder: String) -> [String] {
        let folder = url.appendingPathComponent(folder)
        let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
        return (all ?? []).filter { $0.hasSuffix(".pkpass") }.sorted()
    }
}
