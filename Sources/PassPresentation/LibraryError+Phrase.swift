internal import Glibc
internal import PassModel
public import PassStore
internal import Platform

extension LibraryError: Worded {
    public var phrase: Phrase {
        switch self {
        case .noSuchLibrary(let path):
            Phrase("there is no library at {place}", ["place": .text(path)])
        case .cannotWrite(let path, let reason):
            Phrase(
                "cannot write {place}: {reason}",
                ["place": .text(path), "reason": .phrase(reason.phrase)])
        case .cannotRead(let path, let reason):
            Phrase(
                "cannot read {place}: {reason}",
                ["place": .text(path), "reason": .phrase(reason.phrase)])
        case .locked(let path):
            Phrase("the library at {place} is in use by another program", ["place": .text(path)])
        case .corrupted(let path, let damage):
            Phrase(
                "the library's index {place} is damaged: {reason}",
                ["place": .text(path), "reason": .phrase(damage.phrase)])
        case .newerLibrary(let path):
            Phrase(
                "the library at {place} was made by a newer version of passconduit",
                ["place": .text(path)])
        case .replaced(let path):
            Phrase(
                "the library's index {place} was replaced while it was open",
                ["place": .text(path)])
        case .damagedPass(let sha256, let damage): damage.phrase(of: sha256)
        case .noSuchPass(let name):
            Phrase("there is no pass {name} in the library", ["name": .text(name)])
        case .ambiguous(let name, let candidates):
            Phrase(
                "{name} is ambiguous: {text}", ["name": .text(name), "text": either(candidates)])
        }
    }
}

extension LibraryError {
    /// What the reader can do about it; nil if that is unknown, or if the sentence says it.
    package var advice: Phrase? {
        switch self {
        case .noSuchLibrary: Phrase("`passconduit import` creates one")
        case .cannotRead(_, .system(ENOTDIR)), .cannotWrite(_, .system(ENOTDIR)):
            Phrase("--library and PASSCONDUIT_LIBRARY name a folder")
        case .corrupted:
            Phrase("`passconduit library check --mend` rebuilds it from the pass files")
        case .newerLibrary:
            Phrase("install that version, or choose another folder with --library")
        case .noSuchPass: Phrase("`passconduit list` shows the numbers")
        default: nil
        }
    }
}

extension Error {
    /// The sentence that describes an error, with advice in brackets if there is some.
    package var advisedPhrase: Phrase {
        guard let advice = (self as? LibraryError)?.advice else { return phrase }
        return .joined([phrase, .verbatim(" ("), advice, .verbatim(")")], separator: "")
    }
}

/// Joins alternatives: `one, two or three`.
private func either(_ candidates: [PassIdentity]) -> Phrase.Value {
    let names = candidates.map { Phrase.verbatim($0.description) }
    guard let last = names.last, names.count > 1 else {
        return .phrase(.joined(names, separator: ""))
    }
    return .phrase(
        Phrase(
            "{name} or {other}",
            [
                "name": .phrase(.joined(names.dropLast(), separator: ", ")),
                "other": .phrase(last),
            ]))
}

extension LibraryError.AccessFailure: Worded {
    public var phrase: Phrase {
        switch self {
        case .system(let code): FileError(.open, code).reasonPhrase
        case .index(let words): .verbatim(words)
        case .isReadOnly: Phrase("the library was opened only for reading")
        case .cannotMark(let reason):
            Phrase("{reason}, which is needed for reading, too", ["reason": .phrase(reason.phrase)])
        }
    }
}

extension LibraryError.PassDamage {
    fileprivate func phrase(of sha256: String) -> Phrase {
        let name = ["name": Phrase.Value.text(sha256)]
        return switch self {
        case .gone: Phrase("the stored pass {name} is gone", name)
        case .changed: Phrase("the stored pass {name} was changed", name)
        case .unreadablePass:
            Phrase("the stored pass {name} can no longer be read", name)
        case .unreadableFile(let code):
            Phrase(
                "the stored pass {name} cannot be read: {reason}",
                [
                    "name": .text(sha256),
                    "reason": .phrase(FileError(.read, code).reasonPhrase),
                ])
        }
    }
}

extension IndexDamage: Worded {
    public var phrase: Phrase {
        switch self {
        case .gone: Phrase("it is gone")
        case .lost: Phrase("it was lost, but the pass files are still there")
        case .unfinishedMending: Phrase("mending it was interrupted")
        case .truncated: Phrase("it is truncated")
        case .notDatabase: Phrase("it is not a database")
        case .danglingRow: Phrase("a row refers to one that does not exist")
        case .unreadableRow(let words):
            Phrase("a row cannot be read ({reason})", ["reason": .text(words)])
        case .reported(let words): .verbatim(words)
        }
    }
}
