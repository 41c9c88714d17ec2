public import PassStore

extension LibraryFinding: Worded {
    public var phrase: Phrase {
        switch kind {
        case .interruptedImport: Phrase("left over from an interrupted import")
        case .interruptedDownload: Phrase("left over from an interrupted download")
        case .orphanFile:
            isMended
                ? Phrase("the index did not list this file: it was added again")
                : Phrase("the index does not list this file")
        case .strayFile:
            Phrase("not a file of the library: move it away")
        case .missingFile(let rest): isMended ? rest.lostPhrase : rest.missingPhrase
        case .changedFile(let rest): isMended ? rest.setAsidePhrase : rest.changedPhrase
        case .wrongFront: Phrase("the wrong version is current")
        case .wrongSearch: Phrase("the search index does not match the passes")
        case .wrongUpdates: Phrase("the records of updates cannot be read")
        case .damagedIndex(let damage, let rebuilt):
            .joined([damage.phrase] + (rebuilt?.phrases ?? []), separator: "; ")
        case .refusedFile:
            Phrase(
                "the file was changed or does not verify: it was moved to 'damaged'"
            )
        case .openToOthers: Phrase("other users can read the library")
        }
    }
}

extension LibraryFinding.RemainingVersions? {
    fileprivate var missingPhrase: Phrase {
        switch self {
        case nil: Phrase("the file is gone")
        case .onlyVersion: Phrase("the file is gone; it is the only version of the pass")
        case .others: Phrase("the file is gone; the pass has other versions")
        }
    }

    fileprivate var lostPhrase: Phrase {
        switch self {
        case nil: Phrase("the file is gone")
        case .onlyVersion:
            Phrase("the file is gone: its pass was removed, as it had no other version")
        case .others:
            Phrase(
                "the file is gone: its version was removed; the pass has other versions")
        }
    }

    fileprivate var changedPhrase: Phrase {
        switch self {
        case nil: Phrase("the file was changed")
        case .onlyVersion: Phrase("the file was changed; it is the only version of the pass")
        case .others: Phrase("the file was changed; the pass has other versions")
        }
    }

    fileprivate var setAsidePhrase: Phrase {
        switch self {
        case nil: Phrase("the file was changed")
        case .onlyVersion:
            Phrase(
                "the file was changed: it was moved to 'damaged', and its pass was removed, as it had no other version"
            )
        case .others:
            Phrase(
                "the file was changed: it was moved to 'damaged', and its version was removed; the pass has other versions"
            )
        }
    }
}

extension LibraryFinding.RebuiltIndex {
    /// The repairs, one clause each.
    fileprivate var phrases: [Phrase] {
        var phrases = [made]
        if !hasAllDownloads {
            phrases.append(Phrase("unfinished downloads may be lost"))
        }
        if unknownOrigins > 0 {
            phrases.append(
                .counted(
                    "the origin of {count} of them is no longer known",
                    "the origin of {count} of them is no longer known", unknownOrigins))
        }
        return phrases
    }

    private var made: Phrase {
        guard let oldIndex else {
            return Phrase(
                "it was rebuilt from the pass files ({count})", ["count": .number(files)])
        }
        return Phrase(
            "it was rebuilt from the pass files ({count}); the damaged index is kept as {place}",
            ["count": .number(files), "place": .text(oldIndex)])
    }
}
