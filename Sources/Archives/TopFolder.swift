extension ZipArchive {
    /// The one folder around everything, if it holds `file` and the top does not. What a Mac adds to
    /// an archive may lie beside it.
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
    /// Whether a Mac put it into the archive, beside what a person did.
    package var isOfMac: Bool {
        rawName.starts(with: "__MACOSX/".utf8) || rawName.elementsEqual(".DS_Store".utf8)
    }
}
