package import MailContainers

extension ContainerProblem: Worded {
    package var phrase: Phrase {
        switch self {
        case .unreadable(let error): error.phrase
        case .tnef(let problem): problem.phrase
        case .outlook(let problem): problem.phrase
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
        case .truncated: Phrase("the message is cut short")
        case .attachmentTruncated(let name): .attachmentTruncated(name)
        }
    }
}

extension Phrase {
    fileprivate static func attachmentTruncated(_ name: String?) -> Phrase {
        name.map { Phrase("the attachment {name} is cut short", ["name": .text($0)]) }
            ?? Phrase("an attachment without a name is cut short")
    }
}
