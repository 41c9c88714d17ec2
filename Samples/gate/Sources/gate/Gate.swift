import Foundation
import PassModel
import PassStore
import PassVerification

/// The gate of a cinema: a scanner writes the path of each pass that it reads to standard input,
/// one per line, and this program prints who may enter.
///
///     ls tickets/*.pkpass | gate pass.example.lumen
@main
struct Gate {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: gate PASS-TYPE < paths of passes")
            exit(64)
        }
        var gate = Gate(passType: CommandLine.arguments[1])
        let verifier = try PassVerifier.default
        while let path = readLine() {
            write(gate.answer(to: path, verifier))
        }
    }

    /// Writes a line at once, also to a pipe.
    static func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    let passType: String
    /// The passes of those who have entered.
    var entered: Set<PassIdentity> = []

    init(passType: String) {
        self.passType = passType
    }

    mutating func answer(to path: String, _ verifier: PassVerifier) -> String {
        guard let verification = try? verifier.verify(contentsOf: URL(fileURLWithPath: path)) else {
            return "STOP   cannot be read"
        }
        guard verification.verdict == .trusted, let pass = verification.pass else {
            return "STOP   \(verification.verdict.rawValue)"
        }
        if pass.passTypeIdentifier != passType { return "STOP   another event" }
        if pass.isVoided { return "STOP   voided" }
        if pass.isExpired(at: .now) { return "STOP   expired" }
        if !entered.insert(pass.identity).inserted { return "STOP   entered before" }
        let seat = pass.fields["seat"].map { "seat \($0.value)" }
        let row = pass.fields["row"].map { "row \($0.value)" }
        return ["ENTER", pass.serialNumber, row, seat].compactMap(\.self).joined(separator: "  ")
    }
}
