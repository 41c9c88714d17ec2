internal import Bytes

/// The name of a pass in lists and messages: who issued it, and what for.
package struct PassName: Sendable, Hashable {
    /// The issuer.
    package let issuer: String
    /// The route of a boarding pass, the event of a ticket, or else the description.
    package let subject: String

    fileprivate init(_ issuer: String, _ subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    package init(_ pass: LocalizedPass) {
        let subject =
            switch pass.pass.style {
            case .boardingPass: pass.route
            case .eventTicket: pass.event
            case .coupon, .generic, .posterGeneric, .storeCard, nil: nil as String?
            }
        self.init(
            inOneLine(pass.organizationName),
            subject ?? inOneLine(pass.localizedDescription))
    }
}

extension LocalizedPass {
    /// `LIS -> OPO`: from the primary fields, or else from Apple's semantic tags.
    fileprivate var route: String? {
        let primary = primaryFields.map { field in
            if case .text(let text) = field.value { return inOneLine(AttributedText(text).text) }
            return inOneLine(field.value.description)
        }.filter { !$0.isEmpty }
        let kinds = ["AirportCode", "StationName", "LocationDescription"]
        let tagged = kinds.map { kind in
            ["departure\(kind)", "destination\(kind)"].compactMap(tag)
        }
        let ends = ([primary] + tagged).first { $0.count == 2 }
        return ends?.joined(separator: " -> ")
    }

    /// The name of the event: Apple's semantic tag, or else the primary field.
    fileprivate var event: String? {
        if let name = tag("eventName") { return name }
        guard case .text(let text)? = primaryFields.first?.value else { return nil }
        let name = inOneLine(AttributedText(text).text)
        return name.isEmpty ? nil : name
    }

    private func tag(_ key: String) -> String? {
        guard case .string(let text)? = pass.semantics[ExactText(key)] else { return nil }
        let name = inOneLine(text)
        return name.isEmpty ? nil : name
    }
}

/// The names of a pass in its languages, as the index of a library stores them.
package struct PassNames: Sendable, Hashable {
    private let usual: PassName
    /// Empty if the names are alike, like the names in these languages.
    private let languages: [String]
    private let translations: [PassName]

    /// Maximum number of languages.
    private static let most = 60
    /// Maximum number of characters of a part of a name.
    private static let longest = 300

    package init(_ pass: Pass) {
        func name(in languages: [String]) -> PassName {
            let name = PassName(pass.localized(for: languages))
            func short(_ text: String) -> String {
                String(text.unicodeScalars.prefix(PassNames.longest))
            }
            return PassName(short(name.issuer), short(name.subject))
        }
        let languages = pass.localizations.prefix(PassNames.most).filter { language in
            !language.unicodeScalars.contains { $0 == recordSeparator || $0 == unitSeparator }
        }
        let names = languages.map { name(in: [$0]) }
        usual = names.first ?? name(in: [])
        let differ = Set(names).count > 1
        self.languages = differ ? languages : []
        translations = differ ? names : []
    }

    /// The name in the best of these languages (BCP 47).
    package func name(for preferred: [String]) -> PassName {
        let order = languageOrder(of: languages, for: preferred)
        let chosen = (order.suitable + order.others).first
        let index = chosen.flatMap { chosen in languages.firstIndex { $0.isExactly(chosen) } }
        return index.map { translations[$0] } ?? usual
    }
}

/// The form in the index: a name in each record, its language and its two parts in units, the usual
/// name first.
extension PassNames {
    package var text: String {
        let all = zip([""] + languages, [usual] + translations)
        return all.map { [$0, $1.issuer, $1.subject].joined(separator: String(unitSeparator)) }
            .joined(separator: String(recordSeparator))
    }

    /// Nil if it is not such a text.
    package init?(text: String) {
        var (languages, names): ([String], [PassName]) = ([], [])
        for record in text.unicodeScalars.split(separator: recordSeparator) {
            let parts = record.split(separator: unitSeparator, omittingEmptySubsequences: false)
                .map { String($0) }
            guard parts.count == 3 else { return nil }
            languages.append(parts[0])
            names.append(PassName(parts[1], parts[2]))
        }
        guard let first = names.first else { return nil }
        usual = first
        self.languages = Array(languages.dropFirst())
        translations = Array(names.dropFirst())
    }
}

/// Separate the names in the index; no name contains them.
private let (recordSeparator, unitSeparator): (Unicode.Scalar, Unicode.Scalar) = (
    "\u{1E}", "\u{1F}"
)

/// The text with white space and the separators of the index as single spaces, without those at
/// its ends.
private func inOneLine(_ text: String) -> String {
    text.unicodeScalars.split { scalar in
        scalar.properties.isWhitespace || scalar == recordSeparator || scalar == unitSeparator
    }.map { String($0) }.joined(separator: " ")
}
