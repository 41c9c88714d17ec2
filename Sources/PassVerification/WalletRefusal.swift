import PassModel

extension Finding {
    /// Whether Apple's Wallet refuses a pass with this finding although its signature is good.
    ///
    /// Source: the errors that Wallet logs, and the keys and files that Apple's "Wallet Passes"
    /// documentation requires.
    public var isRefusedByWallet: Bool {
        switch self {
        case .oddity(let oddity): oddity.isRefusedByWallet
        case .topFolder, .shortKey, .keyUsageWithoutSignature: true
        case .stored(let code, _): Self.refusedCodes.contains(code)
        default: false
        }
    }

    /// The codes of findings that an earlier version of this package stored as sentences. Not
    /// `missing-key`, which may also be a missing key of a field: Wallet tolerates that.
    private static let refusedCodes: Set<String> = [
        Oddity.missingIcon.code, Oddity.missingStyle.code, Finding.topFolder(name: "").code,
        JSONOddity.comment.rawValue, Oddity.duplicateFieldKey("").code,
    ]
}

extension Oddity {
    fileprivate var isRefusedByWallet: Bool {
        switch self {
        case .missingIcon, .missingStyle, .missingKey, .formatVersion, .json(.comment, _),
            .duplicateFieldKey:
            true
        default: false
        }
    }
}

extension [Finding] {
    /// The codes of the findings for which Wallet refuses a pass, each once.
    ///
    /// For example: `print(verification.notes.walletRefusalCodes)`
    package var walletRefusalCodes: [String] {
        var codes: [String] = []
        for finding in self where finding.isRefusedByWallet && !codes.contains(finding.code) {
            codes.append(finding.code)
        }
        return codes
    }
}

extension Verification {
    /// Why Apple's Wallet would refuse the pass although its signature is good; empty if nothing is
    /// known against it.
    ///
    /// ```swift
    /// for finding in verification.walletRefusals { print(finding.code) }
    /// ```
    public var walletRefusals: [Finding] { notes.filter(\.isRefusedByWallet) }
}
