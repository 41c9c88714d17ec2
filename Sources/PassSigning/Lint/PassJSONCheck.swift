internal import Barcodes
internal import Bytes
internal import Foundation
internal import PassModel
internal import PassVerification

/// Checks pass.json: each key and value against Apple's schema, and what they mean together.
struct PassJSONCheck {
    private let tree: JSONTree
    /// The images in the pass.
    private let images: Set<PassImageName>
    private let translations: Translations
    /// The keys of fields that changed without a changeMessage.
    private let changed: Set<ExactText>
    private var findings: [LintFinding] = []
    /// The semantic tags of the pass and of its fields.
    private var semantics: Set<ExactText> = []
    private var sports = false, performance = false

    private var encodedCount = 0

    private static let file = "pass.json"
    /// Wallet shows one of them; each takes about a millisecond.
    private static let mostBarcodes = 100

    init(
        _ tree: JSONTree, images: Set<PassImageName>, translations: Translations,
        changed: Set<ExactText>
    ) {
        self.tree = tree
        self.images = images
        self.translations = translations
        self.changed = changed
    }

    mutating func run() -> [LintFinding] {
        for oddity in tree.oddities { note(oddity) }
        let root = tree.root
        guard root.kind == .object else {
            return [LintFinding(.finding(.pass(.notAnObject(root.kind))), in: Self.file)]
        }
        checkRequiredKeys(root)
        checkIdentifiers(root)
        check(root, .pass, at: "")
        checkStyle(root)
        checkWebService(root)
        checkContrast(root)
        checkSchemes(root)
        return findings
    }

    private mutating func note(_ oddity: Oddity) {
        var line: Int?
        if case .json(_, let place) = oddity { line = place }
        let isEncoding = oddity == .byteOrderMark || oddity == .utf16
        findings.append(
            LintFinding(
                .finding(.oddity(oddity)), in: Self.file, line: line,
                fix: isEncoding ? .encode(file: Self.file) : nil))
    }

    private mutating func add(
        _ fault: LintFault, at path: String, _ range: Range<Int>?, fixing: String? = nil,
        in fixed: Range<Int>? = nil
    ) {
        // The others are only counted.
        let isRoom = findings.count < 2 * PassLint.limit
        let line = isRoom ? range.map { tree.line(of: $0.lowerBound) } : nil
        var fix: LintFix?
        if isRoom, let fixing, let place = fixed ?? range {
            fix = .replace(file: Self.file, place, with: fixing)
        }
        findings.append(LintFinding(fault, in: Self.file, key: path, line: line, fix: fix))
    }
}

// MARK: Keys and values

extension PassJSONCheck {
    private mutating func check(_ node: JSONNode, _ object: PassSchema.Object, at path: String) {
        guard let kinds = PassSchema.kinds[object] else { return }
        let present = Set(node.members.map(\.key))
        for member in node.members {
            let key = excerpt(member.key.text)
            let place = path.isEmpty ? key : "\(path).\(key)"
            guard let kind = kinds[member.key] else {
                checkUnknown(member, among: kinds.keys, besides: present, at: place)
                continue
            }
            guard !member.value.isNull else { continue }
            if object == .semantics { noteSemantics(member) }
            if let text = member.value.string,
                translations.lackKey(text, as: member.key, in: object)
            {
                add(.untranslatedKey(excerpt(text)), at: place, member.value.range)
            }
            check(member.value, kind, at: place)
        }
        for key in PassSchema.required[object] ?? [] where isMissing(key, in: node) {
            let fault: LintFault =
                object == .field
                ? .finding(.oddity(.missingFieldKey(key, place: .object(path))))
                : .missingKey(key)
            add(fault, at: "\(path).\(key)", node.range)
        }
        switch object {
        case .field: checkField(node, at: path)
        case .barcode: checkBarcode(node, at: path)
        case .location:
            checkRange("latitude", -90, 90, node, path)
            checkRange("longitude", -180, 180, node, path)
        case .beacon: checkBeacon(node, at: path)
        case .nfc: checkNFC(node, at: path)
        default: break
        }
    }

    /// A missing key of a field may have an empty value, but a field needs its own key.
    private func isMissing(_ key: String, in node: JSONNode) -> Bool {
        guard let value = node[key] else { return true }
        return key == "key" && value.string == ""
    }

    private mutating func checkUnknown(
        _ member: JSONMember, among known: some Collection<ExactText>,
        besides present: Set<ExactText>, at path: String
    ) {
        // Beyond the limit, findings are only counted.
        let isRoom = findings.count < PassLint.limit
        var nearest =
            isRoom
            ? nearestWord(
                to: member.key.text, in: known.lazy.map(\.text),
                besides: { present.contains(ExactText($0)) }) : nil
        // A key that is there as well was not meant.
        if let word = nearest?.word, present.contains(ExactText(word)) { nearest = nil }
        let fixing = nearest.flatMap { $0.isCertain ? "\"\($0.word)\"" : nil }
        add(
            .unknownKey(excerpt(member.key.text), meant: nearest?.word), at: path, member.keyRange,
            fixing: fixing)
    }

    private mutating func check(_ node: JSONNode, _ kind: PassSchema.Kind, at path: String) {
        switch kind {
        case .any: break
        case .text: checkText(node, at: path)
        case .integer:
            checkNumber(node, at: path)
            checkInteger(node, at: path)
        case .number: checkNumber(node, at: path)
        case .boolean: checkBoolean(node, at: path)
        case .date:
            guard checkText(node, at: path), let text = node.string else { return }
            checkDate(text, node, at: path)
        case .color:
            guard checkText(node, at: path), let text = node.string else { return }
            checkColor(text, node, at: path)
        case .url:
            guard checkText(node, at: path), let text = node.string, !text.isEmpty else { return }
            if passURL(text) == nil { add(.invalidURL(excerpt(text)), at: path, node.range) }
        case .fieldValue:
            let isFine = node.kind == .string || node.kind == .number
            if !isFine {
                add(.wrongType(found: node.kind, expected: .string), at: path, node.range)
            }
        case .name(let name):
            guard checkText(node, at: path), let text = node.string else { return }
            checkName(text, of: name, node, at: path)
        case .object(let object):
            guard node.kind == .object else {
                return add(
                    .wrongType(found: node.kind, expected: .object), at: path, node.range)
            }
            check(node, object, at: path)
        case .list(let element):
            guard node.kind == .array else {
                checkSingle(node, element, at: path)
                return
            }
            for (index, item) in node.elements.enumerated() where !item.isNull {
                check(item, element, at: "\(path)[\(index)]")
            }
        }
    }

    /// A single element instead of an array.
    private mutating func checkSingle(
        _ node: JSONNode, _ element: PassSchema.Kind, at path: String
    ) {
        var fixing: String?
        if case .object = element, node.kind == .object { fixing = "[\(tree.text(node.range))]" }
        if case .name = element, node.kind == .string { fixing = "[\(tree.text(node.range))]" }
        add(
            .wrongType(found: node.kind, expected: .array), at: path, node.range, fixing: fixing)
    }

    /// Whether it is text.
    @discardableResult
    private mutating func checkText(_ node: JSONNode, at path: String) -> Bool {
        let isNumber = node.kind == .number || isLongNumber(node)
        if node.kind == .string, !isNumber { return true }
        // The digits as written: a serial number may have zeros at its end.
        let fixing = isNumber ? "\"\(tree.text(node.range))\"" : nil
        add(
            .wrongType(found: isNumber ? .number : node.kind, expected: .string), at: path,
            node.range, fixing: fixing)
        return false
    }

    /// Whether it is a number beyond 64 bits, which was read as text.
    private func isLongNumber(_ node: JSONNode) -> Bool {
        node.kind == .string && tree.text[node.range].first != UInt8(ascii: "\"")
    }

    private mutating func checkNumber(_ node: JSONNode, at path: String) {
        guard node.kind != .number, !isLongNumber(node) else { return }
        var fixing: String?
        if let text = node.string?.trimmingCharacters(in: .whitespaces), isJSONNumber(text) {
            fixing = text
        }
        add(
            .wrongType(found: node.kind, expected: .number), at: path, node.range, fixing: fixing)
    }

    private mutating func checkInteger(_ node: JSONNode, at path: String) {
        guard let number = node.number, number.rounded() != number else { return }
        add(.unknownValue(excerpt(tree.text(node.range)), meant: nil), at: path, node.range)
    }

    private mutating func checkBoolean(_ node: JSONNode, at path: String) {
        guard node.kind != .boolean else { return }
        let meant: Bool? =
            switch node.content {
            case .scalar(.string(let text)): booleanValue(text)
            case .scalar(.integer(0)): false
            case .scalar(.integer(1)): true
            default: nil
            }
        add(
            .wrongType(found: node.kind, expected: .boolean), at: path, node.range,
            fixing: meant.map { $0 ? "true" : "false" })
    }

    private mutating func checkDate(_ text: String, _ node: JSONNode, at path: String) {
        guard let date = PassDate(text) else {
            return add(.invalidDate(excerpt(text)), at: path, node.range)
        }
        guard !date.isStandard else { return }
        add(
            .dateForm(excerpt(text)), at: path, node.range,
            fixing: withColonInZone(text).map { "\"\($0)\"" })
    }

    private mutating func checkColor(_ text: String, _ node: JSONNode, at path: String) {
        guard let color = PassColor(text) else {
            return add(.invalidColor(excerpt(text)), at: path, node.range)
        }
        if !text.asciiLowercased.contains("rgb") {
            add(.colorForm(excerpt(text)), at: path, node.range, fixing: "\"\(color)\"")
        }
    }

    private mutating func checkName(
        _ text: String, of name: PassSchema.Name, _ node: JSONNode, at path: String
    ) {
        let values = PassSchema.values(of: name)
        guard !values.contains(where: text.isExactly) else { return }
        // Beyond the limit, findings are only counted.
        let isRoom = findings.count < PassLint.limit
        let nearest = isRoom ? nearestWord(to: text, in: values) : nil
        let fixing = nearest.flatMap { $0.isCertain ? "\"\($0.word)\"" : nil }
        add(
            .unknownValue(excerpt(text), meant: nearest?.word), at: path, node.range,
            fixing: fixing)
    }

    private mutating func checkRange(
        _ key: String, _ least: Int, _ most: Int, _ node: JSONNode, _ path: String
    ) {
        guard let value = node[key], let number = value.number,
            !(Double(least)...Double(most)).contains(number)
        else { return }
        add(.outOfRange(least: least, most: most), at: "\(path).\(key)", value.range)
    }
}

// MARK: Objects

extension PassJSONCheck {
    private mutating func checkField(_ node: JSONNode, at path: String) {
        checkRange("row", 0, 1, node, path)
        if let value = node["value"] {
            let isDate = node["dateStyle"] != nil || node["timeStyle"] != nil
            let isNumber = node["currencyCode"] != nil || node["numberStyle"] != nil
            if isDate {
                if let text = value.string {
                    checkDate(text, value, at: "\(path).value")
                } else if value.kind == .number {
                    add(
                        .invalidDate(excerpt(tree.text(value.range))), at: "\(path).value",
                        value.range)
                }
            } else if isNumber, value.kind == .string {
                checkNumber(value, at: "\(path).value")
            }
        }
        if let code = node["currencyCode"], let text = code.string,
            !currencies.contains(ExactText(text))
        {
            add(.unknownCurrency(excerpt(text)), at: "\(path).currencyCode", code.range)
        }
        if let message = node["changeMessage"], let text = message.string, !text.isEmpty,
            !text.contains("%@"), !translations.messages.contains(ExactText(text))
        {
            add(.messageWithoutValue, at: "\(path).changeMessage", message.range)
        }
        if let key = node["key"]?.string, changed.contains(ExactText(key)) {
            add(.changedWithoutMessage, at: "\(path).value", node["value"]?.range ?? node.range)
        }
    }

    private mutating func checkBarcode(_ node: JSONNode, at path: String) {
        guard let format = node["format"]?.string.flatMap(BarcodeFormat.init(exactly:)),
            let message = node["message"], let text = message.string
        else { return }
        let charset = node["messageEncoding"]
        let name = charset?.string ?? "iso-8859-1"
        let barcode = Barcode(format: format, message: text, messageEncoding: name)
        guard encodedCount < Self.mostBarcodes else { return }
        switch barcode.charsetError {
        case .unknown:
            add(
                .unknownEncoding(excerpt(name)), at: "\(path).messageEncoding",
                charset?.range ?? node.range)
        case .lacksCharacters:
            add(.notInEncoding(excerpt(name)), at: "\(path).message", message.range)
        case .noTable, nil: break
        }
        encodedCount += 1
        do throws(BarcodeError) {
            _ = try BarcodeSymbol(barcode)
        } catch {
            add(.barcode(BarcodeFault(error)), at: "\(path).message", message.range)
        }
    }

    private mutating func checkBeacon(_ node: JSONNode, at path: String) {
        checkRange("major", 0, 65_535, node, path)
        checkRange("minor", 0, 65_535, node, path)
        guard let value = node["proximityUUID"], let text = value.string,
            UUID(uuidString: text) == nil
        else { return }
        add(.invalidUUID(excerpt(text)), at: "\(path).proximityUUID", value.range)
    }

    /// Apple, "Pass.NFC": the message has at most 64 bytes; longer ones are cut off.
    private mutating func checkNFC(_ node: JSONNode, at path: String) {
        guard let message = node["message"], let text = message.string, text.utf8.count > 64
        else { return }
        add(
            .longMessage(bytes: text.utf8.count, limit: 64), at: "\(path).message", message.range)
    }
}

// MARK: The whole pass

extension PassJSONCheck {
    private mutating func checkRequiredKeys(_ root: JSONNode) {
        for key in PassSchema.requiredOfPass {
            guard let value = root[key] else {
                add(.finding(.oddity(.missingKey(key))), at: key, nil)
                continue
            }
            if value.string == "" {
                add(.finding(.oddity(.missingKey(key))), at: key, value.range)
            }
        }
        if let version = root["formatVersion"] { checkVersion(version) }
        for (key, oddity) in [("locations", Oddity.tooManyLocations), ("beacons", .tooManyBeacons)]
        {
            guard let list = root[key], list.elements.count > 10 else { continue }
            add(.finding(.oddity(oddity)), at: key, list.range)
        }
    }

    private mutating func checkVersion(_ node: JSONNode) {
        let (key, number) = ("formatVersion", node.number)
        if let version = number.flatMap(Int.init(exactly:)) {
            guard version != 1 else { return }
            add(.finding(.oddity(.formatVersion(version))), at: key, node.range, fixing: "1")
        } else if isLongNumber(node) || number.map({ $0.rounded() == $0 }) ?? false {
            add(
                .unknownValue(excerpt(tree.text(node.range)), meant: "1"), at: key, node.range,
                fixing: "1")
        }
    }

    /// The verifier refuses identifiers that other programs would take for those of another pass.
    private mutating func checkIdentifiers(_ root: JSONNode) {
        for key in ["passTypeIdentifier", "serialNumber", "teamIdentifier"] {
            guard let value = root[key], let text = value.string else { continue }
            if text.utf8.contains(0) { add(.nullCharacter, at: key, value.range) }
            if text.hasBrokenRun {
                add(.finding(.pass(.longCombiningRun(key))), at: key, value.range)
            } else if tree.damaged.contains(ExactText(key)) {
                add(.finding(.pass(.notUnicode(key))), at: key, value.range)
            }
        }
    }

    private mutating func checkStyle(_ root: JSONNode) {
        let styles = PassStyle.allCases.filter { root[$0.rawValue] != nil }
        let classic = styles.filter { $0 != .posterGeneric }
        if styles.isEmpty {
            findings.append(LintFinding(.finding(.oddity(.missingStyle)), in: Self.file))
        }
        if classic.count > 1 {
            add(
                .finding(.oddity(.severalStyles(classic))), at: classic[1].rawValue,
                root[classic[1].rawValue]?.range)
        }
        if let boarding = root["boardingPass"], boarding.kind == .object,
            boarding["transitType"] == nil
        {
            add(
                .finding(.oddity(.missingKey("transitType"))), at: "boardingPass.transitType",
                boarding.range)
        }
        for style in styles {
            guard let fields = root[style.rawValue] else { continue }
            checkFieldKeys(fields, at: style.rawValue)
        }
        let events = "upcomingPassInformation"
        for (index, event) in (root[events]?.elements ?? []).enumerated() {
            checkFieldKeys(event, at: "\(events)[\(index)]")
        }
    }

    private mutating func checkFieldKeys(_ fields: JSONNode, at path: String) {
        var firsts: [ExactText: String] = [:]
        for member in fields.members where member.key.text.hasSuffix("Fields") {
            for (index, field) in member.value.elements.enumerated() {
                guard let value = field["key"], let text = value.string, !text.isEmpty else {
                    continue
                }
                let key = ExactText(text)
                let place = "\(path).\(excerpt(member.key.text))[\(index)].key"
                if let first = firsts[key] {
                    add(.repeatedFieldKey(excerpt(text), first: first), at: place, value.range)
                } else {
                    firsts[key] = place
                }
            }
        }
    }

    private mutating func checkWebService(_ root: JSONNode) {
        let (service, token) = (root["webServiceURL"], root["authenticationToken"])
        if let service, let text = service.string, let url = passURL(text) {
            if url.scheme?.asciiLowercased == "http" {
                add(.insecureURL, at: "webServiceURL", service.range)
            }
            let path = url.path(percentEncoded: false)
            if path.hasSuffix("/v1") || path.hasSuffix("/v1/") {
                add(.versionInURL, at: "webServiceURL", service.range)
            }
        }
        // Apple, "Pass": at least 16 characters.
        if let token, let text = token.string, text.count < 16 {
            add(.shortToken(count: text.count, least: 16), at: "authenticationToken", token.range)
        }
        if let service, token == nil {
            add(.missingCounterpart("authenticationToken"), at: "webServiceURL", service.range)
        }
        if let token, service == nil {
            add(.missingCounterpart("webServiceURL"), at: "authenticationToken", token.range)
        }
    }

    /// Below this contrast ratio, text can hardly be read; WCAG 2.2 wants 3 for large text.
    private static let leastContrast = 1.5

    private mutating func checkContrast(_ root: JSONNode) {
        func color(_ key: String) -> PassColor? { root[key]?.string.flatMap { PassColor($0) } }
        // Text is drawn over these images.
        guard images.isDisjoint(with: [.background, .artwork]),
            let ground = color("backgroundColor")
        else { return }
        for key in ["foregroundColor", "labelColor"] {
            guard let ink = color(key) else { continue }
            let contrast = ink.contrast(with: ground)
            guard contrast < Self.leastContrast else { continue }
            add(
                .lowContrast(tenths: Int((contrast * 10).rounded())), at: key, root[key]?.range)
        }
    }
}

// MARK: Style schemes

extension PassJSONCheck {
    private mutating func noteSemantics(_ member: JSONMember) {
        semantics.insert(member.key)
        guard member.key == "eventType" else { return }
        let type = member.value.string ?? ""
        sports = sports || type.isExactly("PKEventTypeSports")
        performance = performance || type.isExactly("PKEventTypeLivePerformance")
    }

    /// Without these, Wallet shows the classic style instead (Apple, "Creating an event pass using
    /// semantic tags" and "Creating an airline boarding pass using semantic tags").
    private mutating func checkSchemes(_ root: JSONNode) {
        for scheme in root["preferredStyleSchemes"]?.elements ?? [] {
            switch scheme.string {
            case "posterEventTicket": checkPoster(root, scheme)
            case "semanticBoardingPass": checkBoarding(root, scheme)
            default: break
            }
        }
    }

    private mutating func checkPoster(_ root: JSONNode, _ scheme: JSONNode) {
        let name = "posterEventTicket"
        guard hasStyle(.eventTicket, root, scheme, name) else { return }
        var tags = ["eventName", "venueName"]
        if sports { tags += ["homeTeamAbbreviation", "awayTeamAbbreviation"] }
        if performance { tags.append("performerNames") }
        require(tags, scheme, name)
        let nfc = root["nfc"]
        if nfc?["requiresAuthentication"] == nil {
            add(
                .missingForScheme(["nfc.requiresAuthentication"], scheme: name),
                at: "nfc.requiresAuthentication", nfc?.range ?? scheme.range)
        }
        if images.isDisjoint(with: [.artwork, .background]) {
            findings.append(
                LintFinding(
                    .missingForScheme(["artwork.png", "background.png"], scheme: name),
                    in: "artwork.png"))
        }
    }

    private mutating func checkBoarding(_ root: JSONNode, _ scheme: JSONNode) {
        let name = "semanticBoardingPass"
        guard hasStyle(.boardingPass, root, scheme, name) else { return }
        require(
            [
                "airlineCode", "flightNumber", "originalDepartureDate", "originalBoardingDate",
                "originalArrivalDate", "departureAirportCode", "destinationAirportCode",
                "departureAirportTimeZone", "passengerName",
            ], scheme, name)
    }

    private mutating func hasStyle(
        _ style: PassStyle, _ root: JSONNode, _ scheme: JSONNode, _ name: String
    ) -> Bool {
        if root[style.rawValue] != nil { return true }
        add(
            .schemeOfOtherStyle(scheme: name, style: style), at: "preferredStyleSchemes",
            scheme.range)
        return false
    }

    private mutating func require(_ tags: [String], _ scheme: JSONNode, _ name: String) {
        for tag in tags where !semantics.contains(ExactText(tag)) {
            add(
                .missingSemantics(tag, scheme: name), at: "semantics.\(tag)", scheme.range)
        }
    }
}

private let currencies = Set(Locale.commonISOCurrencyCodes.map(ExactText.init(_:)))

/// The date with a colon in its time zone: `-0400` as `-04:00`. Nil for other deviations.
private func withColonInZone(_ text: String) -> String? {
    let zone = text.suffix(5)
    guard let sign = zone.first, sign == "+" || sign == "-", text.contains("T"),
        zone.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    let fixed = "\(text.dropLast(2)):\(text.suffix(2))"
    return PassDate(fixed)?.isStandard == true ? fixed : nil
}

/// Whether a text is a number in JSON (RFC 8259, 6).
private func isJSONNumber(_ text: String) -> Bool {
    guard finiteNumber(text) != nil else { return false }
    let tree = try? JSONTree(Array(text.utf8))
    return tree?.root.kind == .number && tree?.oddities.isEmpty == true
}

extension JSONNode {
    fileprivate var number: Double? {
        switch content {
        case .scalar(.integer(let integer)): Double(integer)
        case .scalar(.number(let number)): number
        default: nil
        }
    }
}
