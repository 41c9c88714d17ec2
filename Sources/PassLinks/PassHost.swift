import Bytes

/// A service that distributes passes, and the form of its URLs.
///
/// Only forms that lead to a single pass, or to its page, are listed: no other pages of the
/// service, and no links for Google Wallet only.
struct PassHost {
    /// In lower case, without `www.`; `*.` matches any subdomain.
    private let name: String
    /// The path segments; nil matches any of letters, digits, `-`, `_` and `~`.
    private let segments: [[UInt8]?]
    /// A required query parameter.
    private let parameter: [UInt8]?

    /// Parses a form: `/path/*?parameter`.
    private init(_ name: String, _ shape: String) {
        self.name = name
        let pieces = shape.split(separator: "?")
        segments = pieces[0].split(separator: "/").map { $0 == "*" ? nil : Array($0.utf8) }
        parameter = pieces.count == 2 ? Array(pieces[1].utf8) : nil
    }

    private static let known: [PassHost] = [
        // PassKit: help.passkit.com, articles 11891934 (Pass URL) and 3742778 (SmartPass links).
        PassHost("*.pskt.io", "/*"), PassHost("*.pskt.io", "/c/*"),
        // PassKit's first API: the annotated source of its Node client.
        PassHost("r.pass.is", "/*"),
        // PassSlot: the README of its Cordova plugin, github.com/passslot/cordova-plugin-passbook.
        PassHost("d.pslot.io", "/*"), PassHost("d.pslot.io", "/p/*"),
        PassHost("d.pslot.io", "/l/*"),
        // Passcreator: developer.passcreator.com, "Creating a new pass", and `linkToPassPage`.
        PassHost("app.passcreator.com", "/passinstance/show/*/*"),
        PassHost("app.passcreator.com", "/*/passinstance/show/*/*"),
        PassHost("app.passcreator.com", "/p/*"),
        // PassNinja: the landing page in its API's responses, github.com/flomio.
        PassHost("i.installpass.es", "/p/*"),
        // Airship: docs.airship.com, wallet: passes, adaptive links, links to several passes.
        PassHost("wallet-api.urbanairship.com", "/v1/pass/*/download"),
        PassHost("wallet-api.urbanairship.com", "/v1/pass/adaptive/*"),
        PassHost("wallet-api.urbanairship.com", "/v1/pass/adaptive?ids"),
        PassHost("wallet-api.asnapieu.com", "/v1/pass/*/download"),
        PassHost("wallet-api.asnapieu.com", "/v1/pass/adaptive/*"),
        PassHost("wallet-api.asnapieu.com", "/v1/pass/adaptive?ids"),
        // AddToWallet: `shareableUrl` of its modules for n8n and Make.
        PassHost("app.addtowallet.co", "/card/*"),
        // Badge: help.trybadge.com, article 15439226, and the Pass Download Link of its API.
        PassHost("api.trybadge.com", "/l/*"), PassHost("api.trybadge.com", "/download?id"),
        // Pass2U: Pass API user guide, "Fundamental Concepts".
        PassHost("pass2u.net", "/d/*"),
        // PassEntry: docs.passentry.com, "Downloading passes".
        PassHost("download.passentry.com", "/download?pass"),
        PassHost("download.passentry.com", "/?pass"),
        // PassSource: the target of the barcodes on its passes.
        PassHost("passsource.com", "/pass/create.php?hashedSerialNumber"),
        // Android programs that open the URL of a pass: walletpasses.io/developer, and the README
        // of github.com/Kwiket/passwallet.
        PassHost("walletpass.io", "/?u"), PassHost("walletpasses.io", "/?u"),
        PassHost("passwallet.page.link", "/?link"),
    ]

    private static let byName = Dictionary(grouping: known, by: \.name)

    /// Whether a URL has one of the known forms.
    static func handsOut(_ url: URLParts) -> Bool {
        if isPassRequest(url) { return true }
        let host = String(streamSafe: url.host)
        let domain = host.utf8.firstIndex(of: UInt8(ascii: ".")).map { "*" + host[$0...] }
        let shapes = byName[host] ?? domain.flatMap { byName[$0] } ?? []
        return shapes.contains { $0.isShape(of: url) }
    }

    /// "Send an Updated Pass": the endpoint of every PassKit web service that returns the latest
    /// version of a pass, `/v1/passes/{passTypeIdentifier}/{serialNumber}` after the service's own
    /// path.
    private static func isPassRequest(_ url: URLParts) -> Bool {
        let segments = Array(url.segments.suffix(4))
        return segments.count == 4 && segments[0].elementsEqual("v1".utf8)
            && segments[1].elementsEqual("passes".utf8)
            && segments[2].starts(with: "pass.".utf8) && !segments[3].isEmpty
    }

    private func isShape(of url: URLParts) -> Bool {
        var found = url.segments[...]
        if found.last?.isEmpty == true { found.removeLast() }
        guard found.count == segments.count else { return false }
        // Short top-level segments are pages of the service itself.
        let shortest = segments.count == 1 ? 5 : 1
        for (segment, wanted) in zip(found, segments) where segment != wanted {
            guard wanted == nil, segment.count >= shortest, segment.allSatisfy(isOfToken) else {
                return false
            }
        }
        guard let parameter else { return true }
        return url.parameters.contains { $0.name == parameter && !$0.value.isEmpty }
    }

    private func isOfToken(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}
