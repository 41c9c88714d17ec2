internal import Bytes
public import Foundation
public import PassModel
public import PassVerification

/// Finds mistakes in a pass before it is issued: in pass.json, images, translations, the signature
/// and the certificate.
///
/// ```swift
/// let folder = try PassFolder(contentsOf: URL(fileURLWithPath: "Event.pass"))
/// for finding in PassLint(folder).findings { print(finding.file, finding.fault.rule) }
/// ```
public struct PassLint: Sendable {
    /// The mistakes: first those of pass.json, then those of other files, each in order.
    public private(set) var findings: [LintFinding] = []
    /// Mistakes that are only counted.
    private var unlisted = 0
    /// The identity of the pass; nil if pass.json has none.
    public private(set) var identity: PassIdentity?

    /// At most this number of mistakes is listed, so that damaged input does not fill a disk. A
    /// warning does not take the place of an error.
    static let limit = 1_000

    /// Checks a folder.
    ///
    /// For example: `let mistakes = PassLint(folder, previous: pass).findings`
    ///
    /// - Parameters:
    ///   - folder: The files of the pass.
    ///   - certificates: The certificates to sign it with; nil if unknown.
    ///   - previous: The version that devices have; nil if there is none.
    ///   - now: The time at which the certificate must be valid.
    public init(
        _ folder: PassFolder, certificates: SigningCertificates? = nil, previous: Pass? = nil,
        at now: Date = Date()
    ) {
        check(folder, certificates, previous, now)
        finish()
    }

    /// Checks a pass file: the files in it, its manifest and its signature.
    ///
    /// ```swift
    /// let packed = try PackedPass([UInt8](Data(contentsOf: url)))
    /// let isFlawless = PassLint(packed).findings.isEmpty
    /// ```
    ///
    /// - Parameters:
    ///   - packed: The pass file.
    ///   - certificates: The certificates that it should be signed with; nil if unknown.
    ///   - previous: The version that devices have; nil if there is none.
    ///   - now: The time at which these certificates must be valid.
    public init(
        _ packed: PackedPass, certificates: SigningCertificates? = nil, previous: Pass? = nil,
        at now: Date = Date()
    ) {
        if !packed.folder.files.isEmpty {
            check(packed.folder, certificates, previous, now)
        }
        add(verificationFindings(of: packed))
        finish()
    }

    private mutating func check(
        _ folder: PassFolder, _ certificates: SigningCertificates?, _ previous: Pass?,
        _ now: Date
    ) {
        guard let json = folder.pass else {
            return add(findingsWithoutPass(folder))
        }
        let pass = try? Pass(folder)
        identity = pass?.identity
        var changed: Set<ExactText> = []
        if let pass, let previous {
            if pass.identity != previous.identity {
                add([LintFinding(.notAVersion(previous.identity), in: "pass.json")])
            } else {
                changed = silentChanges(of: pass, since: previous)
            }
        }
        do throws(PassError) {
            let tree = try JSONTree(json)
            var check = PassJSONCheck(
                tree, images: imageKinds(folder), translations: Translations(pass),
                changed: changed)
            add(check.run())
        } catch {
            add([
                LintFinding(
                    .finding(.pass(error)), in: "pass.json", line: error.line)
            ])
        }
        add(fileFindings(folder))
        checkStrings(folder)
        if let certificates { add(certificateFindings(certificates, pass, now)) }
    }

    private mutating func add(_ others: [LintFinding]) {
        findings += others
    }

    private mutating func finish() {
        var known: Set<LintFinding> = []
        findings = findings.filter { known.insert($0).inserted }
        let count = max(findings.count - PassLint.limit, 0) + unlisted
        guard count > 0 else { return }
        let more = LintFinding(.moreFindings(count: count), in: "pass.json")
        var room = PassLint.limit - findings.count { $0.severity == .error }
        let listed = findings.filter { finding in
            guard finding.severity == .warning else { return true }
            room -= 1
            return room >= 0
        }
        findings = listed.prefix(PassLint.limit) + [more]
    }
}

/// The keys of fields whose values differ from the previous version without a changeMessage.
private func silentChanges(of pass: Pass, since previous: Pass) -> Set<ExactText> {
    let changes = pass.changes(since: previous, preferredLanguages: [])
    let silent = changes.filter {
        $0.old != nil && $0.new != nil && ($0.changeMessage ?? "").isEmpty
    }
    return Set(silent.map { ExactText($0.key) })
}

/// The images at the top of the folder.
private func imageKinds(_ folder: PassFolder) -> Set<PassImageName> {
    Set(
        folder.files.keys.filter { !$0.contains("/") }.compactMap {
            PassFileName.image($0)?.kind
        })
}

// MARK: Files

private func findingsWithoutPass(_ folder: PassFolder) -> [LintFinding] {
    let missing = LintFinding(.finding(.passMissing), in: "pass.json")
    let paths = folder.files.keys.sorted()
    if let path = paths.first(where: { $0.hasSuffix("/pass.json") }) {
        return [LintFinding(.passInFolder(String(path.dropLast("/pass.json".count))), in: path)]
    }
    return [missing] + misspeltFiles(folder)
}

private func fileFindings(_ folder: PassFolder) -> [LintFinding] {
    var findings: [LintFinding] = []
    if !folder.files.keys.contains(where: isIcon) {
        findings.append(LintFinding(.finding(.oddity(.missingIcon)), in: "icon.png"))
    }
    findings += misspeltFiles(folder)
    for (path, bytes) in folder.files.sorted(by: { $0.key < $1.key }) {
        guard let image = PassFileName.image(path), path.hasSuffix(".png"),
            let fault = PassFileName.images[image.kind]?.fault(of: bytes, scale: image.scale)
        else { continue }
        findings.append(LintFinding(fault, in: path))
    }
    return findings
}

/// A PDF alone does not suffice: earlier documentation requires a PNG, and so does the verifier.
private func isIcon(_ path: String) -> Bool {
    !path.contains("/") && path.hasSuffix(".png") && PassFileName.image(path)?.kind == .icon
}

/// Files that Wallet does not read.
private func misspeltFiles(_ folder: PassFolder) -> [LintFinding] {
    var findings: [LintFinding] = []
    for (path, bytes) in folder.files.sorted(by: { $0.key < $1.key })
    where !PassFileName.isKnown(path) {
        if PassFileName.isOfSystem(path) {
            findings.append(LintFinding(.systemFile, in: path, fix: .remove(file: path)))
        } else if let meant = PassFileName.meant(
            by: path, besides: { folder.files[$0] != nil || folder.leftOut.contains($0) })
        {
            let isFixable =
                meant.isCertain
                && PictureKind(ofFile: meant.path).map { bytes.starts(with: $0.beginning) } ?? true
            findings.append(
                LintFinding(
                    .misspeltFile(meant: meant.path), in: path,
                    fix: isFixable ? .rename(file: path, to: meant.path) : nil))
        } else {
            findings.append(LintFinding(.strayFile, in: path))
        }
    }
    for path in folder.leftOut {
        if PassFileName.isOfSystem(path) {
            findings.append(LintFinding(.systemFile, in: path, fix: .remove(file: path)))
        } else if !PassFolder.made.contains(path), !path.split(separator: "/").isHidden {
            findings.append(LintFinding(.notAFile, in: path))
        }
    }
    return findings
}

extension [Substring] {
    /// Whether a path leads to a hidden file.
    fileprivate var isHidden: Bool { last?.hasPrefix(".") ?? false }
}

// MARK: Translations

extension PassLint {
    /// A table of translations and its file.
    private struct Table {
        let file, language: String
        let texts: [ExactText: String]
    }

    private mutating func checkStrings(_ folder: PassFolder) {
        let tables = readTables(folder)
        // The first language that has a key.
        var origins: [ExactText: String] = [:]
        for table in tables {
            for key in table.texts.keys where origins[key] == nil { origins[key] = table.language }
        }
        let keys = origins.keys.sorted()
        for table in tables {
            // All keys of a table are among them.
            var missing = keys.count - table.texts.count
            for key in keys where missing > 0 {
                guard findings.count < PassLint.limit else { break }
                guard table.texts[key] == nil else { continue }
                missing -= 1
                let fault = LintFault.missingTranslation(
                    excerpt(key.text), language: origins[key] ?? "")
                findings.append(LintFinding(fault, in: table.file, key: excerpt(key.text)))
            }
            unlisted += missing
        }
    }

    /// The tables that are read whole, within the limits of the verifier.
    private mutating func readTables(_ folder: PassFolder) -> [Table] {
        var tables: [Table] = []
        var limits = PassLimits()
        for (path, bytes) in folder.files.sorted(by: { $0.key < $1.key })
        where path.hasSuffix("/pass.strings") {
            guard let language = PassFileName.language(path) else { continue }
            guard limits.languages > 0 else {
                findings.append(
                    LintFinding(.finding(.oddity(.tooManyLanguages(file: path))), in: path))
                break
            }
            let (texts, oddities) = StringsFile.read(bytes, file: path, limits: limits)
            findings += oddities.map { LintFinding(.finding(.oddity($0)), in: path) }
            limits.languages -= 1
            limits.stringsEntries -= texts.count
            // The rest of the keys may be there.
            if oddities.contains(where: \.isOfSize) { continue }
            tables.append(Table(file: path, language: language, texts: texts))
        }
        return tables
    }
}

extension Oddity {
    /// Whether a file is not read, or not whole.
    fileprivate var isOfSize: Bool {
        switch self {
        case .stringsTooLarge, .stringsTooManyEntries: true
        default: false
        }
    }
}

// MARK: Certificates and signatures

private func certificateFindings(
    _ certificates: SigningCertificates, _ pass: Pass?, _ now: Date
) -> [LintFinding] {
    var findings = certificates.findings(signing: pass, at: now).map {
        LintFinding(.finding($0), in: $0.file, key: $0.keyPath)
    }
    // A file with the certificate alone says nothing about the authority that will be used.
    if case .wrong(let issuer, let found) = certificates.issuance {
        findings.append(
            LintFinding(.intermediateWrong(issuer: issuer, found: found), in: "signature"))
    }
    return findings
}

private func verificationFindings(of packed: PackedPass) -> [LintFinding] {
    let verification = packed.verification
    var findings = (verification.reasons + verification.notes).filter { $0.isOfArchive }.map {
        LintFinding(.finding($0), in: $0.file, key: $0.keyPath)
    }
    if let certificates = packed.certificates {
        let isDirect = verification.signer?.anchor.map(certificates.isIssued) ?? false
        switch certificates.issuance {
        case .missing(let issuer) where !isDirect:
            findings.append(LintFinding(.intermediateMissing(issuer: issuer), in: "signature"))
        case .wrong(let issuer, let found) where !isDirect:
            findings.append(
                LintFinding(.intermediateWrong(issuer: issuer, found: found), in: "signature"))
        default: break
        }
    }
    return findings
}

extension Finding {
    /// Whether the checks of the files do not find it themselves, with its place.
    fileprivate var isOfArchive: Bool {
        switch self {
        case .oddity, .pass, .passMissing, .imageNameCase, .judgedAt: false
        default: true
        }
    }

    /// The file that it is about; the archive itself is empty.
    fileprivate var file: String {
        switch self {
        case .archive, .leadingBytes, .trailingBytes, .topFolder: ""
        case .manifestMissing, .manifest, .manifestEncoding, .manifestUpperCase,
            .manifestDuplicateKey, .manifestListsItself, .moreFiles:
            "manifest.json"
        case .fileDiffers(let path), .fileMissing(let path), .fileNotListed(let path),
            .localHeaderDiffers(let path), .hiddenFile(let path):
            path
        case .passTypeNotInExtension, .passTypeNotInSubject, .teamNotInSubject: "pass.json"
        default: "signature"
        }
    }

    fileprivate var keyPath: String? {
        switch self {
        case .passTypeNotInExtension, .passTypeNotInSubject: "passTypeIdentifier"
        case .teamNotInSubject: "teamIdentifier"
        default: nil
        }
    }
}

extension PassError {
    fileprivate var line: Int? {
        if case .notJSON(_, let line, _) = self { line } else { nil }
    }
}
