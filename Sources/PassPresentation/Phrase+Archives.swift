/// What archives and compressed data share.
extension Phrase {
    static func memoryTooLarge(limit: Int) -> Phrase {
        Phrase(
            "decompressing it takes more than {count} bytes of memory", ["count": .number(limit)])
    }

    static func ratioTooHigh(limit: Int) -> Phrase {
        Phrase("it decompresses to more than {count} times its size", ["count": .number(limit)])
    }

    static func totalTooLarge(limit: Int) -> Phrase {
        Phrase("it decompresses to more than {count} bytes", ["count": .number(limit)])
    }

    static func tooManyEntries(count: Int, limit: Int) -> Phrase {
        Phrase(
            "the archive has {number} entries, more than {count}",
            ["number": .number(count), "count": .number(limit)])
    }

    static func directoryTooLarge(limit: Int) -> Phrase {
        Phrase(
            "the directory of the archive is larger than {count} bytes", ["count": .number(limit)])
    }

    static func unlistedEntry(_ name: String) -> Phrase {
        Phrase(
            "the archive contains '{name}', which its directory does not list",
            ["name": .text(name)])
    }

    static func unsupportedCompression(of name: String) -> Phrase {
        Phrase("{name} is compressed in an unsupported way", ["name": .text(name)])
    }

    static var archiveCutOff: Phrase { Phrase("the archive is cut off: its end is missing") }

    static var noMemoryToDecompress: Phrase {
        Phrase("there is not enough memory to decompress it")
    }

    static var noLibarchive: Phrase { Phrase("libarchive is not installed") }
}
