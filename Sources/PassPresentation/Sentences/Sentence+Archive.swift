internal import Localization

extension Sentence {
    /// What is wrong with an archive, in a problem of reading.
    static let archive: [Sentence] = [
        Sentence("the archive is larger than {count} bytes"),
        Sentence("the archive has {number} entries, more than {count}"),
        Sentence("the directory of the archive is larger than {count} bytes"),
        Sentence("the archive is damaged: {reason}"),
        Sentence("it has two directories that differ"),
        Sentence("it has {number} bytes where {count} are declared"),
        Sentence("{name} cannot be read: {reason}"),
        Sentence("{name} is larger than {count} bytes"),
        Sentence("the entries are together larger than {count} bytes"),
        Sentence("{name} inflates to more than {count} times its size"),
        Sentence("{name} is encrypted"),
        Sentence("{name} is compressed in an unsupported way"),
    ]
}
