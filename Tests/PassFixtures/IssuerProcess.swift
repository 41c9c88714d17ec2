import Foundation
import Synchronization

/// The Python process that makes certificates, signatures and passes: one for each test process,
/// started on first use. `issuer.py` lists its requests.
final class IssuerProcess: Sendable {
    private static let shared = Result { try IssuerProcess() }

    struct Failed: Error {
        let verb: String
        let reason: String
    }

    private struct Request<Body: Encodable>: Encodable {
        let verb: String
        let body: Body
    }

    private struct Reply<Answer: Decodable>: Decodable {
        let answer: Answer?
        let error: String?
    }

    private let process: Mutex<PythonProcess>

    private init() throws {
        process = Mutex(try PythonProcess("issuer.py"))
    }

    /// The answer to one request.
    static func ask<Answer: Decodable>(
        _ verb: String, _ body: some Encodable, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        // Equal recipes must give equal requests.
        encoder.outputFormatting = .sortedKeys
        let request = try encoder.encode(Request(verb: verb, body: body))
        let line = try shared.get().exchange(request, verb)
        let reply = try JSONDecoder().decode(Reply<Answer>.self, from: line)
        guard let answer = reply.answer else {
            throw Failed(verb: verb, reason: reply.error ?? "no answer")
        }
        return answer
    }

    private func exchange(_ request: Data, _ verb: String) throws -> Data {
        try process.withLock { process in
            try process.input.write(contentsOf: request + [UInt8(ascii: "\n")])
            let size = try process.output.read(upToCount: 8).flatMap { digits in
                Int(String(decoding: digits, as: UTF8.self), radix: 16)
            }
            guard let size, let reply = try process.output.read(upToCount: size),
                reply.count == size
            else { throw Failed(verb: verb, reason: "the process ended") }
            return reply
        }
    }
}

/// A file in an archive, in the form of `issuer.py`.
struct ArchivedFile: Encodable {
    let name: String
    let bytes: Data

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = Data(bytes)
    }
}
