internal import Bytes
import Foundation

extension Pass {
    /// Reads a pass at least as tolerantly as Wallet; ``oddities`` lists what was tolerated.
    ///
    /// ```swift
    /// let json = try Data(contentsOf: url.appending(path: "pass.json"))
    /// let french = try Data(contentsOf: url.appending(path: "fr.lproj/pass.strings"))
    /// let pass = try Pass(json: [UInt8](json), strings: ["fr": [UInt8](french)])
    /// ```
    ///
    /// - Parameters:
    ///   - json: The bytes of pass.json.
    ///   - strings: The bytes of each pass.strings, by the name of its folder without `.lproj`.
    ///   - images: The names of the image files in the archive; nil if unknown.
    ///   - localizations: The names of the language folders, without `.lproj`, in the order of the
    ///     manifest; those of `strings` that it lacks follow in the order of their names.
    ///   - limits: The limits for reading.
    /// - Throws: ``PassError`` if there is no JSON object, no identity, an identity that is not
    ///   Unicode or has more than 30 consecutive combining marks, or a limit is exceeded.
    public init(
        json: [UInt8], strings: [String: [UInt8]] = [:], images: [String]? = nil,
        localizations: [String] = [], limits: PassLimits = PassLimits()
    ) throws(PassError) {
        var notes = Oddities(limit: limits.oddities)
        var marks: [JSONMark]?
        var damaged: Set<ExactText> = []
        let value = try LenientJSON.read(
            json, limits: limits, oddities: &notes, marks: &marks, damaged: &damaged)
        guard case .object(let members) = value else { throw .notAnObject(value.kind) }
        var reader = ObjectReader(members, place: .object("pass.json"))

        identity = try reader.identity(damaged, &notes)
        // VIOLATIONS.md, P11: any version. P10: required keys may be missing.
        formatVersion = reader.number("formatVersion", &notes).flatMap(Int.init(exactly:))
        switch formatVersion {
        case 1: break
        case nil: notes.noteAlways(.missingKey("formatVersion"))
        case let version?: notes.noteAlways(.formatVersion(version))
        }
        teamIdentifier = reader.required("teamIdentifier", &notes)
        try ObjectReader.refuseAltered(teamIdentifier, "teamIdentifier", damaged)
        organizationName = reader.required("organizationName", &notes)
        description = reader.required("description", &notes)
        var styleReader: ObjectReader
        (style, styleReader) = reader.style(&notes)
        transitType = styleReader.name("transitType", &notes)
        if style == .boardingPass, transitType == nil {
            notes.noteAlways(.missingKey("transitType"))
        }
        fields = PassFields(&styleReader, limit: limits.fieldsInGroup, &notes)

        barcodes = reader.barcodes(&notes)
        backgroundColor = reader.color("backgroundColor", &notes)
        foregroundColor = reader.color("foregroundColor", &notes)
        labelColor = reader.color("labelColor", &notes)
        logoText = reader.string("logoText", &notes)
        eventLogoText = reader.string("eventLogoText", &notes)
        footerBackgroundColor = reader.color("footerBackgroundColor", &notes)
        suppressHeaderDarkening = reader.boolean("suppressHeaderDarkening", &notes)
        useAutomaticColors = reader.boolean("useAutomaticColors", &notes)
        suppressStripShine = reader.boolean("suppressStripShine", &notes)
        preferredStyleSchemes = reader.strings("preferredStyleSchemes", &notes)
        self.images = images?.sorted()
        // VIOLATIONS.md, P31: no icon.
        if let images, !images.contains(where: isIcon) {
            notes.noteAlways(.missingIcon)
        }

        expirationDate = reader.date("expirationDate", &notes)?.date
        isVoided = reader.boolean("voided", &notes) ?? false
        relevantDates = reader.relevantDates(&notes)
        let firstDate = relevantDates.lazy.compactMap { $0.date ?? $0.startDate }.first
        relevantDate = reader.date("relevantDate", &notes)?.date ?? firstDate
        locations = reader.locations(&notes)
        maxDistance = reader.number("maxDistance", &notes)
        beacons = reader.beacons(&notes)

        webServiceURL = reader.url("webServiceURL", &notes)
        authenticationToken = reader.string("authenticationToken", &notes)
        groupingIdentifier = reader.string("groupingIdentifier", &notes)
        sharingProhibited = reader.boolean("sharingProhibited", &notes)
        associatedStoreIdentifiers = reader.integers("associatedStoreIdentifiers", &notes)
        auxiliaryStoreIdentifiers = reader.integers("auxiliaryStoreIdentifiers", &notes)
        appLaunchURL = reader.url("appLaunchURL", &notes)
        nfc = reader.nfc(&notes)
        userInfo = reader.take("userInfo")
        semantics = reader.object("semantics", &notes) ?? [:]
        links = reader.links(&notes)
        contacts = reader.contacts(&notes)
        upcomingEntries = reader.upcomingEntries(limits, &notes)
        unknownKeys = reader.rest

        var seen: Set<ExactText> = []
        let languages = (localizations + strings.keys.sorted())
            .filter { seen.insert(ExactText($0)).inserted }
        self.localizations = Array(languages.prefix(limits.languages))
        if languages.count > limits.languages, strings.isEmpty {
            let file = "\(excerpt(languages[limits.languages])).lproj/pass.strings"
            notes.note(.tooManyLanguages(file: file))
        }
        self.strings = readStrings(strings, languages, limits, &notes)
        oddities = notes.all
    }
}

private func isIcon(_ name: String) -> Bool {
    ["icon.png", "icon@2x.png", "icon@3x.png"].contains(name)
}

private func readStrings(
    _ files: [String: [UInt8]], _ languages: [String], _ limits: PassLimits,
    _ notes: inout Oddities
) -> [String: [ExactText: String]] {
    var tables: [String: [ExactText: String]] = [:]
    var entries = limits.stringsEntries
    for (index, language) in languages.enumerated() {
        guard let bytes = files[language] else { continue }
        let file = "\(excerpt(language)).lproj/pass.strings"
        guard index < limits.languages else {
            notes.note(.tooManyLanguages(file: file))
            break
        }
        guard bytes.count <= limits.stringsBytes else {
            notes.note(.stringsTooLarge(file: file, limit: limits.stringsBytes))
            continue
        }
        tables[language] = StringsFile.read(
            bytes, entries: &entries, file: file, oddities: &notes)
    }
    return tables
}

extension ObjectReader {
    fileprivate mutating func identity(
        _ damaged: Set<ExactText>, _ notes: inout Oddities
    ) throws(PassError) -> PassIdentity {
        // VIOLATIONS.md, P13: a number.
        if case .integer = rest["serialNumber"] {
            notes.note(.serialNumberNotString)
        }
        // A serial number beyond 64 bits is a string at this point, with all its digits.
        var quiet = Oddities(limit: 0)
        // Reject NUL: C programs and some databases end text there, and would take two identifiers
        // that differ only after it for the same pass.
        guard let type = string("passTypeIdentifier", &quiet), !type.isEmpty, !type.utf8.contains(0)
        else {
            throw .missingIdentity("passTypeIdentifier")
        }
        guard let serial = string("serialNumber", &quiet), !serial.isEmpty, !serial.utf8.contains(0)
        else {
            throw .missingIdentity("serialNumber")
        }
        try ObjectReader.refuseAltered(type, "passTypeIdentifier", damaged)
        try ObjectReader.refuseAltered(serial, "serialNumber", damaged)
        return PassIdentity(passTypeIdentifier: type, serialNumber: serial)
    }

    /// The JSON parser has broken up long runs and replaced what is not Unicode, which could make
    /// two identifiers equal.
    fileprivate static func refuseAltered(
        _ text: String, _ key: String, _ damaged: Set<ExactText>
    ) throws(PassError) {
        if text.hasBrokenRun { throw .longCombiningRun(key) }
        if damaged.contains(ExactText(key)) { throw .notUnicode(key) }
    }

    fileprivate mutating func required(_ key: String, _ notes: inout Oddities) -> String {
        let text = string(key, &notes) ?? ""
        if text.isEmpty { notes.noteAlways(.missingKey(key)) }
        return text
    }

    fileprivate mutating func style(_ notes: inout Oddities) -> (PassStyle?, ObjectReader) {
        // VIOLATIONS.md, P12: none, or more than one.
        let styles = PassStyle.allCases.filter {
            rest[ExactText($0.rawValue), default: .null] != .null
        }
        guard let style = styles.first else {
            notes.noteAlways(.missingStyle)
            return (nil, ObjectReader([:], place: .object("pass.json")))
        }
        // A poster style beside a classic one is for wallets that support it.
        let classic = styles.filter { $0 != .posterGeneric }
        if classic.count > 1 { notes.note(.severalStyles(classic)) }
        let members = object(style.rawValue, &notes)
        if members == nil { notes.noteAlways(.missingStyle) }
        return (style, ObjectReader(members ?? [:], place: .object(style.rawValue)))
    }
}
