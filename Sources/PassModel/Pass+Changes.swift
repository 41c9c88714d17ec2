extension Pass {
    /// The fields that say something else than in an older version: those of this version, front to
    /// back, then those that are gone.
    ///
    /// A field is known by its key, wherever it stands on the pass; where several have the same, by
    /// their order. What counts is what it says, not how it is labelled or written: 5 and "5" are the
    /// same, and so is a moment in another zone, unless the field shows it in its own.
    ///
    /// - Parameter preferredLanguages: Of the person (BCP 47), the best first. Where the versions speak
    ///   different languages to that person, a translation alone is no change.
    public func changes(since old: Pass, preferredLanguages: [String]) -> [PassChange] {
        let before = old.localized(for: preferredLanguages)
        let after = localized(for: preferredLanguages)
        let isOneLanguage = before.language == after.language
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

/// A field as one version has it.
private struct Entry {
    /// What makes it the same field in another version.
    struct Position: Hashable {
        let key: String
        /// Of a field without a key.
        let label: String?
        /// How many have the same before it.
        let number: Int
    }

    let place: Position
    let written: Field
    let shown: Field
}

private func entries(_ pass: Pass, _ localized: LocalizedPass) -> [Entry] {
    var uses: [Entry.Position: Int] = [:]
    return zip(pass.fields.all, localized.fields.all).map { written, shown in
        let label = written.key.isEmpty ? written.label : nil
        let first = Entry.Position(key: written.key, label: label, number: 0)
        let number = uses[first, default: 0]
        uses[first] = number + 1
        let place = Entry.Position(key: written.key, label: label, number: number)
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
        // Exact, where floating-point numbers are not.
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
