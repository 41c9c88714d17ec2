package import Fetching
internal import Foundation
package import PassStore
package import Platform

/// Why a download failed or its body could not be processed. The queue stores it as JSON:
/// `{"fetch":{"_0":{"reason":{"status":{"code":404,"host":"example.com"}}}}}`.
package enum DownloadFailure: Error, Sendable, Hashable, Codable {
    case fetch(FetchFailure)
    /// Ranges fetched at different times do not match, even after everything was fetched again.
    case mismatchedPieces
    /// The downloaded file, or a file in the library, cannot be read or written.
    case unreadable(FileError)

    package var code: String {
        switch self {
        case .fetch(let failure): failure.code.rawValue
        case .mismatchedPieces: FetchFailure.Code.cut.rawValue
        case .unreadable: "unreadable"
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

    /// Nil if only a text was stored, or if a later version of this program stored a failure
    /// unknown here.
    package var known: DownloadFailure? {
        failure.flatMap { try? JSONDecoder().decode(DownloadFailure.self, from: Data($0.utf8)) }
    }
}
