package import Fetching
package import Foundation
package import PassModel
package import PassStore
package import PassVerification

/// Why a pass was not updated. The library keeps it as JSON.
package enum UpdateProblem: Sendable, Hashable, Codable {
    case fetch(FetchFailure)
    /// Its web service is reached by `http:`, which was not allowed.
    case insecure
    case noWebService
    /// It was not asked about: its host wants to be left alone.
    case hostBusy
    /// It was not asked about: its host left others without an answer.
    case hostSilent
    /// It was not asked about: the pass in the library is not trusted.
    case notTrusted(Verdict)
    /// The pass in the library cannot be read.
    case unreadable(LibraryError)
    /// What the server sent cannot be read: a stable code, and the English text.
    case unreadableAnswer(code: String, text: String)
    /// The server sent something around passes, such as an archive.
    case notOnePass
    case anotherPass(PassIdentity)
    case older(signedAt: Date, current: Date)
    /// `type` is what came instead of a pass, where that is known.
    case rejected(Verdict, [Finding], type: String?)

    /// Stable, in kebab case: that of a ``FetchFailure``, a verdict, or one of those here.
    package var code: String {
        switch self {
        case .fetch(let failure): failure.code.rawValue
        case .insecure: FetchFailure.Code.insecure.rawValue
        case .noWebService: "no-web-service"
        case .hostBusy, .hostSilent: "host-left"
        case .notTrusted: "not-trusted"
        case .unreadable: "unreadable"
        case .unreadableAnswer(let code, _): code
        case .notOnePass: "not-a-pass"
        case .anotherPass: "another-pass"
        case .older: "older"
        case .rejected(let verdict, _, _): verdict.rawValue
        }
    }

    /// As the library keeps it.
    var json: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
