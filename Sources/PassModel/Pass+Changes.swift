extension Pass {
    /// The fields whose values differ from an older version, in the order of this version, followed
    /// by removed fields.
    ///
    /// Fields are matched by key, wherever they are on the pass, and duplicates by order. Only
    /// values are compared, not labels or notation: 5 and "5" are equal, as are dates in different
    /// time zones, unless the field shows its own time zone.
    ///
    /// ```swift
    /// for change in pass.changes(since: older, preferredLanguages: ["en"]) {
    ///     print(change.label ?? change.key)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - old: The older version.
    ///   - preferredLanguages: The user's languages (BCP 47, in order of preference). If the
    ///     versions are shown in different languages, a mere translation is not a change.
    public func changes(since old: Pass, preferredLanguages: [String]) -> [PassChange] {
        let before = old.localized(for: preferredLanguages)
        let after = localized(for: preferredLanguages)
        let isOneLanguage =
            before.language.map(ExactText.init(_:)) == after.language.map(ExactText.init(_:))
        let olds = entries(old, before)
        let news = entries(self, after)
        let oldByPlace = Dictionary(olds.map { ($0.place, $0) }) { first, _ in first }
        var changes: [PassChange] = []
        for entry in news {
            guard let other = oldByPlace[entry.place] else {
                changes.append(PassChange(old: nil, new: entry.shown))
                continue
            }
            let isSame =
                isOneLanguage
                ? entry.shown.saysTheSame(as: other.shown)
                : entry.written.saysTheSame(as: other.written)
            if !isSame { changes.append(PassChange(old: other.shown, new: entry.shown)) }
        }
        let places = Set(news.map(\.place))
        return changes
            + olds.filter { !places.contains($0.place) }.map { PassChange(old: $0.shown, new: nil) }
    }
}

/// A field of one version.
private struct Entry {
    /// The identity of a field across versions.
    struct Position: Hashable {
        let key: ExactText
        /// The label of a field without a key.
        let label: ExactText?
        /// The number of preceding fields with the same key.
        let number: Int
    }

    let place: Position
    let written: Field
    let shown: Field
}

private func entries(_ pass: Pass, _ localized: LocalizedPass) -> [Entry] {
    var uses: [Entry.Position: Int] = [:]
    return zip(pass.fields.all, localized.fields.all).map { written, shown in
        let key = ExactText(written.key)
        let label = written.key.isEmpty ? written.label.map(ExactText.init(_:)) : nil
        let first = Entry.Position(key: key, label: label, number: 0)
        let number = uses[first, default: 0]
        uses[first] = number + 1
        let place = Entry.Position(key: key, label: label, number: number)
        return Entry(place: place, written: written, shown: shown)
    }
}

extension Field {
    fileprivate func saysTheSame(as other: Field) -> Bool {
        switch (said, other.said) {
        case (.date(let date, _), .date(let otherDate, _)):
            let isFloating = date.secondsFromGMT == nil
            return date.date == otherDate.date
                && isFloating == (otherDate.secondsFromGMT == nil)
                && (!ignoresTimeZone || date.secondsFromGMT == otherDate.secondsFromGMT)
        // Compare integers exactly, unlike floating-point numbers.
        case (.integer(let number), .integer(let otherNumber)):
            return number == otherNumber && currencyCode == other.currencyCode
        case (.text(let text), .text(let otherText)):
            return text == otherText
        case (let value, let otherValue):
            guard let number = value.number, let otherNumber = otherValue.number else {
                return value.description == otherValue.description
            }
            return number == otherNumber && currencyCode == other.currencyCode
        }
    }

    private var said: FieldValue { attributedText.map { .text($0.text) } ?? value }
}

extension FieldValue {
    fileprivate var number: Double? {
        switch self {
        case .text(let text): Double(text)
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .date: nil
        }
    }
}
