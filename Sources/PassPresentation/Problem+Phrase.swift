internal import Glibc
package import PassImport
internal import Platform

extension Problem.Kind: Worded {
    package var phrase: Phrase {
        switch self {
        case .vanished(let error) where error.code == ESTALE:
            Phrase("it was replaced after this program began; run the program again")
        case .unreadable(let error), .vanished(let error): error.phrase
        case .source(let kind): kind.phrase
        case .message(let kind): kind.phrase
        case .container(let problem): problem.phrase
        case .compression(let error): error.phrase
        case .archive(let error): error.phrase
        case .member(let error), .archiveTooLarge(let error): error.phrase
        case .cms(let error): error.phrase
        case .formatNotRead(let format): format.phrase
        case .dataURL(let error): error.phrase
        case .externalBody(let place):
            Phrase("the part is stored elsewhere ({place})", ["place": .text(place)])
        case .incomplete(let pieces, let total): piecesMissing(pieces, total)
        case .attachmentMissing:
            Phrase("the attachment was removed from the message, and its file is missing")
        case .attachmentDetached(let place):
            Phrase(
                "the attachment was removed from the message and stored as {place}",
                ["place": .text(place)])
        case .attachmentRemoved: Phrase("the attachment was removed from the message")
        case .attachmentElsewhere:
            Phrase("the attachment is stored elsewhere, outside of the mailbox")
        case .limit(let limit): limit.phrase
        case .moreMalformed(let count):
            Phrase("further malformed passes, not listed: {count}", ["count": .number(count)])
        case .moreProblems(let count, _):
            Phrase("further problems, not listed: {count}", ["count": .number(count)])
        }
    }
}

private func piecesMissing(_ pieces: [Int], _ total: Int?) -> Phrase {
    let numbers = Phrase.Value.text(pieces.map(String.init).joined(separator: ", "))
    guard let total else {
        return Phrase(
            "a message was sent in fragments, and only these arrived: {number}", ["number": numbers]
        )
    }
    return Phrase(
        "a message was sent in {count} fragments, and only these arrived: {number}",
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
            Phrase("it contains more than {count} passes and problems", ["count": .number(count)])
        case .messages(let count):
            Phrase(
                "the mailboxes in it contain more than {count} messages", ["count": .number(count)])
        case .pieces(let count):
            Phrase(
                "it contains more than {count} fragments of other messages",
                ["count": .number(count)])
        case .inflated(let bytes):
            Phrase("it unpacks to more than {count} MiB", ["count": .number(bytes >> 20)])
        case .entries(let count):
            Phrase("the archives in it have more than {count} entries", ["count": .number(count)])
        case .members(let count):
            Phrase("it contains more than {count} files", ["count": .number(count)])
        case .nesting, .depth: Phrase("it is nested too deeply")
        case .nestedPieces: Phrase("a message in fragments is inside another message")
        case .links(let count):
            Phrase("the message has more than {count} links to passes", ["count": .number(count)])
        case .linkSize(let bytes):
            Phrase("a link is longer than {count} KiB", ["count": .number(bytes >> 10)])
        case .linkData(let bytes):
            Phrase(
                "the links of the message contain more than {count} MiB of passes",
                ["count": .number(bytes >> 20)])
        case .input(let bytes):
            Phrase("the input is larger than {count} MiB", ["count": .number(bytes >> 20)])
        case .attachments(let count):
            Phrase(
                "more than {count} attachments are stored beside the message",
                ["count": .number(count)])
        }
    }
}
