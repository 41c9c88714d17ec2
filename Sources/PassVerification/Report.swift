import Foundation

/// The checks of a pass, in order.
enum CheckName: String, CaseIterable {
    case archive
    case pass = "pass-json"
    case manifest
    case files
    case signature
    case signingTime = "signing-time"
    case chain = "certificate-chain"
    case purpose = "certificate-purpose"
    case passType = "pass-type-identifier"
    case team = "team-identifier"
    case keys = "required-keys"
    case icon

    /// Advice for issuers after a failure.
    var advice: String {
        switch self {
        case .archive:
            "make a plain ZIP of the files themselves: no links, no passwords, each name once"
        case .pass: "put one JSON object with passTypeIdentifier and serialNumber into pass.json"
        case .manifest:
            "put one JSON object into manifest.json: each path with its SHA-1 in hexadecimal"
        case .files:
            "make manifest.json last, from the files exactly as they go into the archive, and list all "
                + "but manifest.json and signature"
        case .signature:
            "sign the exact bytes of manifest.json: openssl smime -sign -binary -outform DER -signer "
                + "... -certfile ... -in manifest.json -out signature"
        case .signingTime: "sign with signed attributes (no -noattr) and a clock that is right"
        case .chain:
            "sign with a Pass Type ID certificate from Apple that is still valid, and embed the WWDR "
                + "intermediate that issued it"
        case .purpose: "sign with a Pass Type ID certificate, not with another kind"
        case .passType:
            "passTypeIdentifier in pass.json must be that of the Pass Type ID certificate"
        case .team: "teamIdentifier in pass.json must be that of the Pass Type ID certificate"
        case .keys: "Wallet refuses a pass without them"
        case .icon: "Wallet refuses a pass without an icon"
        }
    }
}

/// The results so far. The first verdict with findings is the final one.
struct Report {
    private(set) var notes: [Finding] = []
    private var against: [Verdict: [Finding]] = [:]
    private var answers: [CheckName: Check] = [:]

    var verdict: Verdict {
        Verdict.allCases.first { !against[$0, default: []].isEmpty } ?? .trusted
    }

    var reasons: [Finding] { against[verdict, default: []] }

    var checks: [Check] {
        CheckName.allCases.map { question in
            answers[question]
                ?? Check(
                    name: question.rawValue, outcome: .skipped,
                    detail: "not asked: what comes before it failed")
        }
    }

    mutating func note(_ findings: [Finding]) {
        for finding in findings where !notes.contains(finding) { notes.append(finding) }
    }

    /// Records a check: passed without findings, otherwise failed with this verdict.
    mutating func answer(
        _ question: CheckName, _ verdict: Verdict, _ findings: [Finding], passed: String
    ) {
        against[verdict, default: []] += findings
        record(question, findings, passed: passed)
    }

    /// Records a check without effect on the verdict.
    mutating func answer(_ question: CheckName, _ findings: [Finding], passed: String) {
        record(question, findings, passed: passed)
    }

    mutating func skip(_ question: CheckName, _ detail: String) {
        answers[question] = Check(name: question.rawValue, outcome: .skipped, detail: detail)
    }

    private mutating func record(_ question: CheckName, _ findings: [Finding], passed: String) {
        let failure = findings.map(\.detail).joined(separator: "; ")
        answers[question] = Check(
            name: question.rawValue, outcome: findings.isEmpty ? .passed : .failed,
            detail: findings.isEmpty ? passed : "\(failure) (\(question.advice))")
    }
}
