internal import Bytes

/// The translations of a pass.strings that were read so far, and what was tolerated.
struct StringsTable {
    private(set) var texts: [ExactText: String] = [:]
    /// The number of entries that may still be read, including invalid ones; negative if one was
    /// ignored.
    private(set) var entriesLeft: Int
    private(set) var oddities: Oddities
    private let file: String

    init(entriesLeft: Int, file: String, oddities: Oddities) {
        self.entriesLeft = entriesLeft
        self.file = file
        self.oddities = oddities
    }

    /// Whether another entry may be read.
    mutating func takeEntry() -> Bool {
        entriesLeft -= 1
        if entriesLeft >= 0 { return true }
        oddities.note(.stringsTooManyEntries(file: file))
        return false
    }

    /// The last of several entries with one key counts.
    mutating func put(_ key: String, _ text: String) {
        if texts.updateValue(text, forKey: ExactText(key)) != nil {
            note(.duplicateKey(excerpt(key)))
        }
    }

    mutating func note(_ oddity: @autoclosure () -> StringsOddity) {
        oddities.note(.strings(oddity(), file: file))
    }

    /// The string of a text, with notes of what was replaced in it.
    mutating func finish(_ text: inout UnescapedText) -> String {
        let (string, isValid) = text.finish()
        if !isValid { note(.invalidUTF8) }
        if text.hadLongRun { note(.longCombiningRun) }
        return string
    }
}
