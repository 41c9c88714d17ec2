public import PassStore

extension LibraryFinding: Worded {
    public var phrase: Phrase {
        switch kind {
        case .interruptedImport: Phrase("an import was interrupted")
        case .interruptedDownload: Phrase("the process that fetched it was interrupted")
        case .orphanFile:
            isMended
                ? Phrase("the index does not know this file: it was taken in again")
                : Phrase("the index does not know this file")
        case .strayFile:
            Phrase("this is not a file of the library: left alone; move it away")
        case .missingFile(let rest): isMended ? rest.lostPhrase : rest.missingPhrase
        case .changedFile(let rest): isMended ? rest.setAsidePhrase : rest.changedPhrase
        case .wrongFront: Phrase("another version belongs in front")
        case .wrongSearch: Phrase("the search does not fit the passes")
        case .wrongUpdates: Phrase("what is known of the updates of passes cannot be read")
        case .damagedIndex(let damage, let rebuilt):
            .joined([damage.phrase] + (rebuilt?.phrases ?? []), separator: "; ")
        case .refusedFile:
            Phrase(
                "the verifier does not take this file, or it was changed: it was set aside in 'damaged'"
            )
        case .openToOthers: Phrase("others can look into the library")
        }
    }
}

extension LibraryFinding.RemainingVersions? {
    fileprivate var missingPhrase: Phrase {
        switch self {
        case nil: Phrase("the file is gone")
        case .onlyVersion: Phrase("the file is gone; it is the only version of the pass")
        case .others: Phrase("the file is gone; there are other versions of the pass")
        }
    }

    fileprivate var lostPhrase: Phrase {
        switch self {
        case nil: Phrase("the file is gone")
        case .onlyVersion:
            Phrase("the file is gone: its pass was removed, which had no other version")
        case .others:
            Phrase(
                "the file is gone: the version was removed; other versions of the pass are there")
        }
    }

    fileprivate var changedPhrase: Phrase {
        switch self {
        case nil: Phrase("the file was changed")
        case .onlyVersion: Phrase("the file was changed; it is the only version of the pass")
        case .others: Phrase("the file was changed; there are other versions of the pass")
        }
    }

    fileprivate var setAsidePhrase: Phrase {
        switch self {
        case nil: Phrase("the file was changed")
        case .onlyVersion:
            Phrase(
                "the file was changed: it was set aside in 'damaged', and its pass was removed, which had no other version"
            )
        case .others:
            Phrase(
                "the file was changed: it was set aside in 'damaged', and the version was removed; other versions of the pass are there"
            )
        }
    }
}

extension LibraryFinding.RebuiltIndex {
    /// The repairs, one clause each.
    fileprivate var phrases: [Phrase] {
        var phrases = [made]
        if !hasAllDownloads {
            phrases.append(Phrase("what was still to be downloaded may be lost"))
        }
        if unknownOrigins > 0 {
            phrases.append(
                .counted(
                    "it is not known any more where {count} of them came from",
                    "it is not known any more where {count} of them came from", unknownOrigins))
        }
        return phrases
    }

    private var made: Phrase {
        guard let oldIndex else {
            return Phrase(
                "it was made again from the pass files ({count})", ["count": .number(files)])
        }
        return Phrase(
            "it was made again from the pass files ({count}), and is kept as {place}",
            ["count": .number(files), "place": .text(oldIndex)])
    }
}
