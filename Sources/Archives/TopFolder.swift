extension ZipArchive {
    /// The single top-level folder, if it contains `file` and the top level does not
    /// (VIOLATIONS.md, P33). Metadata added by a Mac is ignored.
    package func topFolder(around file: String) -> String? {
        guard !contains(file) else { return nil }
        var folder: EntryName?
        for entry in entries where !entry.isOfMac {
            guard let slash = entry.name.unicodeScalars.firstIndex(of: "/") else { return nil }
            let first = EntryName(String(entry.name[..<slash]))
            guard folder == nil || folder == first else { return nil }
            folder = first
        }
        guard let folder = folder?.text, contains("\(folder)/\(file)") else { return nil }
        return folder
    }
}

extension ZipEntry {
    /// Whether it is metadata that a Mac added to the archive.
    package var isOfMac: Bool {
        rawName.starts(with: "__MACOSX/".utf8) || rawName.elementsEqual(".DS_Store".utf8)
    }
}
