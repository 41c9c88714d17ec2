import Foundation
import Synchronization

/// The answers by path.
struct Paths: Sendable {
    fileprivate var answers: [String: [Answer]] = [:]
    fileprivate var folders: [String: @Sendable (RecordedRequest) -> Answer] = [:]

    mutating func answer(_ request: RecordedRequest) -> Answer {
        let path = normalized(request.path)
        if var queue = answers[path], let first = queue.first {
            if queue.count > 1 {
                queue.removeFirst()
                answers[path] = queue
            }
            return first
        }
        let folder = folders.keys.filter { path.hasPrefix($0) }.max { $0.count < $1.count }
        return folder.flatMap { folders[$0]?(request) } ?? .status(404)
    }
}

extension LoopbackServer {
    /// Sends the first answer to the first request for the path, and so on; sends the last answer
    /// to all later requests.
    package func serve(_ path: String, _ answers: Answer...) {
        paths.withLock { $0.answers[normalized(path)] = answers }
    }

    /// Answers requests for all paths below a path that have no answer of their own.
    package func serve(
        under folder: String, _ answer: @escaping @Sendable (RecordedRequest) -> Answer
    ) {
        paths.withLock { $0.folders[normalized(folder)] = answer }
    }

    /// Serves a pass of a web service at `base`, where Get-Pass requests it: pass.json names
    /// `url(base)`.
    package func serve(type: String, serial: String, at base: String = "", _ answers: Answer...) {
        let path = [type, serial].map(strictlyEncoded).joined(separator: "/")
        paths.withLock { $0.answers[normalized("\(base)/v1/passes/\(path)")] = answers }
    }
}

/// The same form for all percent-encodings of a path (RFC 3986, 6.2.2).
private func normalized(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
        .map { strictlyEncoded($0.removingPercentEncoding ?? String($0)) }
        .joined(separator: "/")
}

private func strictlyEncoded(_ segment: String) -> String {
    let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    return segment.addingPercentEncoding(withAllowedCharacters: unreserved) ?? segment
}
