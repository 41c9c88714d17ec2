import Foundation

/// Notes: tolerated irregularities. Those of pass.json are in the module PassModel.
extension Finding {
    static func leadingBytes(_ count: Int) -> Finding {
        Finding(code: "leading-bytes", detail: "\(count) bytes stand before the archive")
    }

    static func trailingBytes(_ count: Int) -> Finding {
        Finding(code: "trailing-bytes", detail: "\(count) bytes stand behind the archive")
    }

    static func topFolder(_ name: String) -> Finding {
        Finding(code: "top-folder", detail: "the whole pass lies in a folder '\(name)'")
    }

    static func imageNameCase(_ name: String) -> Finding {
        Finding(
            code: "image-name-case",
            detail: "Wallet looks for '\(name.lowercased())', not '\(name)'")
    }

    static func manifestEncoding(_ what: String) -> Finding {
        Finding(code: "manifest-encoding", detail: "manifest.json \(what)")
    }

    static let manifestUpperCase = Finding(
        code: "manifest-upper-case", detail: "manifest.json has hashes in upper case")

    static let manifestDuplicateKey = Finding(
        code: "manifest-duplicate-key", detail: "manifest.json lists a file twice, with one hash")

    static let manifestListsItself = Finding(
        code: "manifest-lists-itself", detail: "manifest.json lists itself")

    static let signatureAttached = Finding(
        code: "signature-attached", detail: "the signature carries a copy of manifest.json")

    static func certificateExpiredSince(_ time: Date) -> Finding {
        Finding(
            code: "certificate-expired-since",
            detail:
                "the certificate was valid when the pass was signed, and expired on \(day(time))")
    }

    /// In the message or archive around the pass; PassModel reports those in the pass itself.
    package static let longCombiningRun = Finding(
        code: "long-combining-run",
        detail: "a long run of combining marks is broken in a file name or a header field")

    static func judgedAt(_ time: Date) -> Finding {
        Finding(
            code: "judged-at", detail: "the certificates are judged as of \(day(time)), as asked")
    }
}
