package import Localization

extension Sentence {
    /// Faults of an archive.
    package static let archive: [Sentence] = [
        Sentence("not a ZIP archive"),
        Sentence("the archive is larger than {count} bytes"),
        Sentence("the archive has {number} entries, more than {count}"),
        Sentence("the directory of the archive is larger than {count} bytes"),
        Sentence("the archive is damaged: {reason}"),
        Sentence("it has two directories that differ"),
        Sentence("it has no local header"),
        Sentence("it reaches into the directory"),
        Sentence("it has {number} bytes where {count} are declared"),
        Sentence("{name} cannot be read: {reason}"),
        Sentence("{name} is larger than {count} bytes"),
        Sentence("the entries are together larger than {count} bytes"),
        Sentence("{name} inflates to more than {count} times its size"),
        Sentence("{name} is encrypted"),
        Sentence("{name} is compressed in an unsupported way"),
        Sentence("there are two entries named {name}"),
        Sentence("the name '{name}' is an absolute path"),
        Sentence("the name '{name}' has '..', '.' or nothing as a component"),
        Sentence("the name '{name}' has a backslash"),
        Sentence("the name '{name}' has a NUL"),
        Sentence("the name '{name}' has more than 30 combining marks in a row"),
        Sentence("{name} is a symbolic link"),
        Sentence("{name} and {other} overlap in the archive"),
        Sentence("the entry {name} is named '{other}' in its own header"),
    ]
}
