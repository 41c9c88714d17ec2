package import MailSource

extension SourceProblem.Kind: Worded {
    package var phrase: Phrase {
        switch self {
        case .linkLoop: Phrase("the link leads to itself")
        case .danglingLink: Phrase("the target of the link does not exist")
        case .vanished: Phrase("no such file or directory")
        case .notAFile(let kind):
            Phrase("is {kind}, neither a file nor a directory", ["kind": .phrase(kind.phrase)])
        case .unreadable(let error): error.phrase
        }
    }
}

extension SourceProblem.SpecialFile: Worded {
    package var phrase: Phrase {
        switch self {
        case .fifo: Phrase("a FIFO")
        case .socket: Phrase("a socket")
        case .device: Phrase("a device")
        case .other: Phrase("something else")
        }
    }
}
