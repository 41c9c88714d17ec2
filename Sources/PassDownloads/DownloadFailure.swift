package import Bytes
package import Fetching
internal import Foundation
package import PassStore

/// Why there is no body, or why nothing could be made of it. The queue keeps it as JSON:
/// `{"fetch":{"_0":{"reason":{"status":{"code":404,"host":"example.com"}}}}}`.
package enum DownloadFailure: Error, Sendable, Hashable, Codable {
    case fetch(FetchFailure)
    /// Pieces that came at different times, also when all of it was fetched once more.
    case mismatchedPieces
    /// The body that came cannot be read.
    case unreadable(FileError)
    /// What is in it cannot be taken in for now: a stable code, and the English text.
    case contents(code: String, text: String)

    package var code: String {
        switch self {
        case .fetch(let failure): failure.code.rawValue
        case .mismatchedPieces: FetchFailure.Code.cut.rawValue
        case .unreadable: "unreadable"
        case .contents(let code, _): code
        }
    }
}

extension DownloadError {
    package init(_ failure: DownloadFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = (try? encoder.encode(failure)).map { String(decoding: $0, as: UTF8.self) }
        self.init(code: failure.code, failure: json)
    }

    package init(_ failure: FetchFailure) {
        self.init(.fetch(failure))
    }

    /// Nil where only a text was stored, or a later version stored what this one does not know.
    package var known: DownloadFailure? {
        failure.flatMap { try? JSONDecoder().decode(DownloadFailure.self, from: Data($0.utf8)) }
    }
}
