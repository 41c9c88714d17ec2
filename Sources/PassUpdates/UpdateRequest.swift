import Fetching
import PassStore

/// A request of a run.
enum UpdateRequest {
    /// The newest version of a pass.
    case pass(PassUpdate)
    /// Messages for the log of a service.
    case log([String], FaultySource)

    var host: String {
        switch self {
        case .pass(let update): update.service.host
        case .log(_, let source): source.host
        }
    }
}

/// The response to a request.
enum UpdateResponse {
    case body(ArrivedBody)
    case notModified(PassUpdate)
    case failed(PassUpdate, FetchFailure)
    case logged(FaultySource, FetchFailure?)

    var host: String {
        switch self {
        case .body(let body): body.update.service.host
        case .notModified(let update), .failed(let update, _): update.service.host
        case .logged(let source, _): source.host
        }
    }

    var answer: UpdateAnswer {
        switch self {
        case .body, .logged(_, nil): .pass
        case .notModified: .unchanged
        case .failed(_, let failure), .logged(_, let failure?): UpdateAnswer(failure)
        }
    }
}
