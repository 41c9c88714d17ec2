package import Localization

extension Sentence {
    /// Messages of the library.
    package static let library: [Sentence] = [
        Sentence("there is no library at {place}"),
        Sentence("the library at {place} is in use by another program"),
        Sentence("the library's index {place} is damaged: {reason}"),
        Sentence("the library at {place} was made by a later version"),
        Sentence("the library's index {place} was replaced while it was open"),
        Sentence("the stored pass {name} cannot be read as a pass any more"),
        Sentence("there is no pass {name} in the library"),
        Sentence("{name} could be {text}"),
        Sentence("the stored file is no pass"),
        Sentence("others can look into the library"),
        Sentence("an import was ended before it was done"),
        Sentence("the process that fetched it was ended before it was done"),
        Sentence("this is not a file of the library: left alone; move it away"),
        Sentence("the index does not know this file: it was taken in again"),
        Sentence("the index does not know this file"),
        Sentence("another version belongs in front"),
        Sentence("the search does not fit the passes"),
        Sentence("what is known of the updates of passes cannot be read"),
    ]
}
