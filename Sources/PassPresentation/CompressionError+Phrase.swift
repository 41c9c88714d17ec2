package import Compression

extension CompressionError: Worded {
    package var phrase: Phrase {
        switch self {
        case .damaged(let format, let offset, let reason):
            Phrase(
                "the {name} data is damaged before byte {number}: {reason}",
                [
                    "name": .text(format.rawValue), "number": .number(offset),
                    "reason": .phrase(reason.phrase(format)),
                ])
        case .truncated(let format):
            Phrase("the {name} data ends too early", ["name": .text(format.rawValue)])
        case .trailingGarbage(let format, let offset):
            Phrase(
                "something else follows the {name} data at byte {number}",
                ["name": .text(format.rawValue), "number": .number(offset)])
        case .unsupported(let format, let reason):
            Phrase(
                "the {name} data is compressed in an unsupported way: {reason}",
                ["name": .text(format.rawValue), "reason": .phrase(reason.phrase(format))])
        case .memoryTooLarge(let limit): .memoryTooLarge(limit: limit)
        case .ratioTooHigh(let limit): .ratioTooHigh(limit: limit)
        case .totalTooLarge(let limit): .totalTooLarge(limit: limit)
        case .outOfMemory: .noMemoryToDecompress
        }
    }
}

extension CompressionError.Reason {
    fileprivate func phrase(_ format: CompressionFormat) -> Phrase {
        switch self {
        case .noHeader: Phrase("it has no {name} header", ["name": .text(format.rawValue)])
        case .wrongData: Phrase("a block or a checksum is wrong")
        case .stuck: Phrase("it cannot be decompressed further")
        case .noLibrary: .noLibarchive
        case .unknownOptions: Phrase("unknown filters or options")
        case .code(let code): Phrase("error {number}", ["number": .number(code)])
        case .words(let words): .verbatim(words)
        }
    }
}
