package import Fetching
package import Foundation
package import PassImport
package import PassModel
package import PassStore
package import PassVerification

/// Why a pass was not updated. The library stores it as JSON.
package enum UpdateProblem: Sendable, Hashable, Codable {
    case fetch(FetchFailure)
    /// The URL of the web service is `http:` without permission.
    case insecure
    case noWebService
    /// Not requested: the host is busy, or asked clients to wait.
    case hostBusy
    /// Not requested: the host did not respond to earlier requests.
    case hostSilent
    /// Not requested: the pass in the library is not trusted.
    case notTrusted(Verdict)
    /// The pass in the library cannot be read.
    case unreadable(LibraryError)
    /// The response cannot be read.
    case unreadableAnswer(Problem.Kind)
    /// The response is not a single pass but, for example, an archive.
    case notOnePass
    case anotherPass(PassIdentity)
    case older(signedAt: Date, current: Date)
    /// `type` describes the content of the response, if known.
    case rejected(Verdict, [Finding], type: FileType?)

    /// A stable code in kebab case: that of a ``FetchFailure``, a verdict, or one of those below.
    package var code: String {
        switch self {
        case .fetch(let failure): failure.code.rawValue
        case .insecure: FetchFailure.Code.insecure.rawValue
        case .noWebService: "no-web-service"
        case .hostBusy, .hostSilent: "host-left"
        case .notTrusted: "not-trusted"
        case .unreadable: "unreadable"
        case .unreadableAnswer(let kind): kind.code
        case .notOnePass: "not-a-pass"
        case .anotherPass: "another-pass"
        case .older: "older"
        case .rejected(let verdict, _, _): verdict.rawValue
        }
    }

    /// The form stored in the library.
    var json: String? {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
