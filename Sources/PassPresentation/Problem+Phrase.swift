package import PassImport

extension Problem.Kind: Worded {
    package var phrase: Phrase {
        switch self {
        case .unreadable(let error), .vanished(let error): error.phrase
        case .source(let kind): kind.phrase
        case .message(let kind): kind.phrase
        case .compression(let error): error.phrase
        case .tar(let error): error.phrase
        case .member(let error), .archiveTooLarge(let error): error.phrase
        case .cms(let error): error.phrase
        case .dataURL(let error): error.phrase
        case .externalBody(let place):
            Phrase("the part lies elsewhere ({place})", ["place": .text(place)])
        case .incomplete(let pieces, let total): piecesMissing(pieces, total)
        case .attachmentMissing:
            Phrase("the attachment was taken out of the message, and its file is not there")
        case .limit(let limit): limit.phrase
        }
    }
}

private func piecesMissing(_ pieces: [Int], _ total: Int?) -> Phrase {
    let numbers = Phrase.Value.text(pieces.map(String.init).joined(separator: ", "))
    guard let total else {
        return Phrase(
            "a message was sent in pieces, of which only {number} came", ["number": numbers])
    }
    return Phrase(
        "a message was sent in pieces, of which only {number} of {count} came",
        ["number": numbers, "count": .number(total)])
}

extension Problem.Limit: Worded {
    package var phrase: Phrase {
        switch self {
        case .time(let seconds):
            Phrase(
                "it took more than {count} seconds of processor time",
                ["count": .number(seconds)])
        case .work(let bytes):
            Phrase(
                "decoding and searching it would take more than {count} MiB",
                ["count": .number(bytes >> 20)])
        case .reports(let count):
            Phrase("more than {count} passes and problems lie in it", ["count": .number(count)])
        case .messages(let count):
            Phrase(
                "the mailboxes in it hold more than {count} messages", ["count": .number(count)])
        case .pieces(let count):
            Phrase("it holds more than {count} pieces of other messages", ["count": .number(count)])
        case .inflated(let bytes):
            Phrase("more than {count} MiB are packed in it", ["count": .number(bytes >> 20)])
        case .entries(let count):
            Phrase("the archives in it have more than {count} entries", ["count": .number(count)])
        case .members(let count):
            Phrase("more than {count} members are packed in it", ["count": .number(count)])
        case .nesting, .depth: Phrase("it is packed into too many others")
        case .nestedPieces: Phrase("a message in pieces lies in another one")
        case .links(let count):
            Phrase("the message has more than {count} links to passes", ["count": .number(count)])
        case .linkSize(let bytes):
            Phrase("a link is longer than {count} KiB", ["count": .number(bytes >> 10)])
        case .linkData(let bytes):
            Phrase(
                "the links of the message hold more than {count} MiB of passes",
                ["count": .number(bytes >> 20)])
        case .input(let bytes):
            Phrase("the input is larger than {count} MiB", ["count": .number(bytes >> 20)])
        case .attachments(let count):
            Phrase(
                "more than {count} attachments lie beside the message", ["count": .number(count)])
        }
    }
}
