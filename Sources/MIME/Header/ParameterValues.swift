import Bytes

/// Joins the values of a parameter from RFC 2231 sections and RFC 2047 encoded words.
extension [Parameter] {
    /// All readings of a parameter as text, the preferred one first: RFC 2231 takes precedence over
    /// the plain form that senders add for old programs (RFC 6266, 4.3).
    func texts(of name: String) -> [String] {
        var texts: [String] = []
        for value in joined(name) {
            texts += TextReadings.of(value.text, isExtended: value.isExtended)
        }
        let whole = filter { $0.name == name && $0.section == nil }
        for parameter in whole.filter(\.isExtended) + whole.filter({ !$0.isExtended }) {
            for value in parameter.values {
                let text =
                    parameter.isExtended ? ExtendedValue(value).text : EncodedWords.decode(value)
                texts += TextReadings.of(text, isExtended: parameter.isExtended)
            }
        }
        return texts
    }

    /// All readings of a parameter as bytes, for boundaries.
    func bytes(of name: String) -> [[UInt8]] {
        var readings: [[UInt8]] = []
        for value in joined(name) { readings.append(value.bytes) }
        for parameter in self where parameter.name == name && parameter.section == nil {
            for value in parameter.values {
                readings.append(parameter.isExtended ? ExtendedValue(value).bytes : value)
            }
        }
        return readings
    }

    /// Joins the sections of a value by number, whatever their order (VIOLATIONS.md, M93). If
    /// numbers are repeated, there is one value of the first sections and one of the last; if only
    /// some sections are marked as encoded but others are too (VIOLATIONS.md, M99), one value in
    /// which all are decoded.
    private func joined(_ name: String) -> [ExtendedValue] {
        let sections = enumerated().filter { $1.name == name && $1.section != nil }
            .sorted { ($0.element.section ?? 0, $0.offset) < ($1.element.section ?? 0, $1.offset) }
            .map(\.element)
        guard let start = sections.first else { return [] }
        var first = ExtendedValue()
        var last = ExtendedValue()
        var encoded = ExtendedValue()
        var isTwice = false
        var isMixed = false
        for index in sections.indices {
            let section = sections[index]
            let follows = index > 0 && sections[index - 1].section == section.section
            let isFollowed =
                index + 1 < sections.count && sections[index + 1].section == section.section
            isTwice = isTwice || follows
            let value = section.sectionValue
            // A percent-encoded byte in a section not marked as encoded.
            isMixed =
                isMixed
                || start.isExtended && !section.isExtended && value.contains(UInt8(ascii: "%"))
            if !follows { first.append(value, isExtended: section.isExtended) }
            if !isFollowed { last.append(value, isExtended: section.isExtended) }
            if !follows { encoded.append(value, isExtended: true) }
        }
        return (isMixed ? [encoded] : []) + [first] + (isTwice ? [last] : [])
    }
}

extension Parameter {
    /// The value as one of several sections: only its first word if the semicolon after it is
    /// missing, and without a comma (VIOLATIONS.md, M94).
    fileprivate var sectionValue: [UInt8] {
        guard var value = values.first else { return [] }
        if values.count > 1, value.contains(UInt8(ascii: "=")), value.contains(0x20) {
            value = values.last ?? value
        }
        if isExtended, value.last == UInt8(ascii: ",") { value.removeLast() }
        return value
    }
}
