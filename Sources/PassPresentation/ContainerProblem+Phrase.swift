package import MailContainers

extension ContainerProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .unreadable(let error): error.phrase
        case .tnef(let problem): problem.phrase
        case .outlook(let problem): problem.phrase
        case .jsonTruncated: Phrase("the JSON text is cut short")
        }
    }
}

extension TNEFProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .tooManyAttributes(let limit):
            Phrase("the TNEF stream has more than {count} attributes", ["count": .number(limit)])
        case .tooManyAttachments(let limit):
            Phrase("the TNEF stream has more than {count} attachments", ["count": .number(limit)])
        case .tooManyProperties(let limit):
            Phrase("the TNEF stream has more than {count} properties", ["count": .number(limit)])
        case .namesTooLong(let limit):
            Phrase(
                "the names in the TNEF stream are longer than {count} bytes together",
                ["count": .number(limit)])
        case .truncated: Phrase("the TNEF stream is cut short")
        case .attachmentTruncated(let name): .attachmentTruncated(name)
        case .damaged: Phrase("the TNEF stream continues with something other than an attribute")
        case .body(let problem): problem.phrase
        }
    }
}

extension OutlookProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .tooManyAttachments(let limit):
            Phrase("the message has more than {count} attachments", ["count": .number(limit)])
        case .nestedTooDeep: Phrase("it is nested too deeply")
        case .namesTooLong(let limit):
            Phrase(
                "the names in the message are longer than {count} bytes together",
                ["count": .number(limit)])
        case .tooManyEntries(let limit):
            Phrase("the message has more than {count} parts", ["count": .number(limit)])
        case .tooLarge(let limit):
            Phrase(
                "the compound file is larger than {count} bytes and is not read",
                ["count": .number(limit)])
        case .truncated: Phrase("the message is cut short")
        case .attachmentTruncated(let name): .attachmentTruncated(name)
        case .body(let problem): problem.phrase
        }
    }
}

extension BodyProblem: Worded {
    package var phrase: Phrase {
        let name = ["name": Phrase.Value.text(name)]
        switch reason {
        case .truncated: return Phrase("{name} of the message is cut short", name)
        case .damaged: return Phrase("{name} of the message is damaged", name)
        case .tooLarge(let limit):
            return Phrase(
                "the bodies of the message up to {name} are larger than {count} bytes",
                name.merging(["count": .number(limit)]) { $1 })
        case .nestedTooDeep(let limit):
            return Phrase(
                "{name} of the message has more than {count} nested groups",
                name.merging(["count": .number(limit)]) { $1 })
        case .unknownCodePage(let number):
            return Phrase(
                "{name} of the message is in code page {number}, which is not known",
                name.merging(["number": .text(String(number))]) { $1 })
        }
    }
}

extension Phrase {
    fileprivate static func attachmentTruncated(_ name: String?) -> Phrase {
        name.map { Phrase("the attachment {name} is cut short", ["name": .text($0)]) }
            ?? Phrase("an attachment without a name is cut short")
    }
}
