internal import Glibc
public import PassSigning
internal import PassVerification
internal import Platform

extension SigningError: Worded {
    /// Why a pass was not signed.
    public var phrase: Phrase {
        switch self {
        case .noPass: Phrase("there is no pass.json in it")
        case .keyRefused: Phrase("the key did not sign: it is locked or was removed")
        case .outOfMemory: Phrase("out of memory")
        case .notTrusted(let findings) where findings.contains(where: \.isNoPath):
            Phrase(
                "the signed pass would not be trusted: {reasons}; trust an authority of your own with --trust-root or `passconduit trust add`",
                ["reasons": .phrase(.joined(findings.map(\.phrase), separator: "; "))])
        case .notTrusted(let findings):
            Phrase(
                "the signed pass would not be trusted: {reasons}",
                ["reasons": .phrase(.joined(findings.map(\.phrase), separator: "; "))])
        case .refusedByWallet(let findings):
            Phrase(
                "Wallet would refuse the signed pass: {reasons}",
                ["reasons": .phrase(.joined(findings.map(\.phrase), separator: "; "))])
        }
    }
}

extension Finding {
    /// Whether the certificate was issued by an authority that is not trusted.
    fileprivate var isNoPath: Bool {
        if case .noPathToAnchor = self { true } else { false }
    }
}

extension RowError: Worded {
    /// Why there is no pass for a row.
    public var phrase: Phrase {
        switch self {
        case .row(let fault): fault.phrase
        case .mistakes(let findings):
            .joined(findings.map(\.sentence), separator: "; ")
        case .signing(let error): error.phrase
        }
    }
}

extension LintFinding {
    /// The file, the key, the mistake and its remedy.
    package var sentence: Phrase {
        let place = [file, keyPath].compactMap(\.self).filter { !$0.isEmpty }
        let mistake = Phrase.joined([fault.phrase, fault.remedy], separator: "; ")
        return .joined(place.map { .verbatim($0) } + [mistake], separator: ": ")
    }
}

extension PassWriteError: Worded {
    package var phrase: Phrase {
        switch self {
        case .row(let error): error.phrase
        case .file(let error):
            error.code == EEXIST
                ? Phrase("already exists: --force overwrites it") : error.phrase
        }
    }
}

extension PassBundleError: Worded {
    /// Why passes cannot be in one bundle.
    public var phrase: Phrase {
        switch self {
        case .tooManyPasses(let limit):
            Phrase("a bundle has at most {count} passes", ["count": .number(limit)])
        case .tooLarge(let limit):
            Phrase("a bundle has at most {count} MB", ["count": .number(limit / 1_000_000)])
        case .outOfMemory: Phrase("out of memory")
        }
    }
}
