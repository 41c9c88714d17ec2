internal import Foundation
internal import PassPresentation
internal import PassSigning
internal import Platform

/// A mistake that `lint` found. `key` is absent if the problem concerns the whole file.
struct LintRecord: Encodable {
    let version = 1
    let record = "lint"
    /// The pass, as given, followed by `!` and its name if it is in a bundle.
    let path: String
    /// Empty for the archive itself.
    let file: String
    let key: String?
    let severity: String
    let rule: String
    let message: String
    let remedy: String
    let fixed: Bool

    init(_ result: LintResult) {
        let finding = result.finding
        path = result.pass
        file = finding.file
        key = finding.keyPath
        severity = finding.severity.rawValue
        rule = finding.fault.rule
        message = finding.fault.phrase.english
        remedy = finding.fault.remedy.english
        fixed = result.isFixed
    }
}

/// A document in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS) with the
/// mistakes of one run. Those that were corrected are not in it.
///
/// ```json
/// {"$schema": "...", "version": "2.1.0", "runs": [{"tool": {...}, "results": [...]}]}
/// ```
struct SARIFLog: Encodable {
    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    struct Run: Encodable {
        let tool: Tool
        let results: [Result]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Driver: Encodable {
        let name = "passconduit"
        let version = Release.version.description
        let rules: [Rule]
    }

    struct Rule: Encodable {
        let id: String
        let defaultConfiguration: Configuration
        let help: Message
    }

    struct Configuration: Encodable {
        let level: String
    }

    struct Message: Encodable {
        let text: String
    }

    struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
    }

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation
        let logicalLocations: [LogicalLocation]?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region?
    }

    struct ArtifactLocation: Encodable {
        let uri: String
    }

    struct Region: Encodable {
        let startLine: Int
    }

    struct LogicalLocation: Encodable {
        let fullyQualifiedName: String
    }

    init(_ results: [LintResult]) {
        var rules: [Rule] = []
        var places: [String: Int] = [:]
        var found: [Result] = []
        for result in results where !result.isFixed {
            let fault = result.finding.fault
            let (level, remedy) = (result.finding.severity.rawValue, fault.remedy.english)
            let place = places[fault.rule] ?? rules.count
            if place == rules.count {
                places[fault.rule] = place
                rules.append(
                    Rule(
                        id: fault.rule, defaultConfiguration: Configuration(level: level),
                        help: Message(text: remedy)))
            }
            found.append(
                Result(
                    ruleId: fault.rule, ruleIndex: place, level: level,
                    message: Message(text: "\(fault.phrase.english); \(remedy)"),
                    locations: [Location(result)]))
        }
        runs = [Run(tool: Tool(driver: Driver(rules: rules)), results: found)]
    }
}

extension SARIFLog.Location {
    /// A file in an archive has no URI of its own: the archive is the artifact, and the file a
    /// logical place in it.
    fileprivate init(_ result: LintResult) {
        let finding = result.finding
        var names: [String] = []
        if let member = result.member { names.append(member) }
        if !result.isFolder, !finding.file.isEmpty { names.append(finding.file) }
        if let key = finding.keyPath { names.append(key) }
        let folder = result.path.hasSuffix("/") ? result.path : "\(result.path)/"
        let path =
            result.isFolder
            ? "\(folder)\(finding.file)" : result.path
        physicalLocation = SARIFLog.PhysicalLocation(
            artifactLocation: SARIFLog.ArtifactLocation(uri: reference(path)),
            region: result.isFolder ? finding.line.map(SARIFLog.Region.init) : nil)
        logicalLocations =
            names.isEmpty
            ? nil : [SARIFLog.LogicalLocation(fullyQualifiedName: names.joined(separator: ": "))]
    }
}

/// A path as a URI reference (RFC 3986, 4.2): relative, or absolute with `file:`.
private func reference(_ path: String) -> String {
    let allowed = CharacterSet(
        charactersIn: "/-._~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
}
