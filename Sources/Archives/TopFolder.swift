extension ZipArchive {
    /// The one folder around everything, if it holds `file` and the top does not. What a Mac adds to
    /// an archive may lie beside it.
    package func topFolder(around file: String) -> String? {
        guard !contains(file) else { return nil }
        var folder: Substring?
        for entry in entries where !entry.isOfMac {
            guard let slash = entry.name.firstIndex(of: "/") else { return nil }
            let first = entry.name[..<slash]
            guard folder == nil || folder == first else { return nil }
            folder = first
        }
        guard let folder, contains("\(folder)/\(file)") else { return nil }
        return String(folder)
    }
}

extension ZipEntry {
    /// Whether a Mac put it into the archive, beside what a person did.
    package var isOfMac: Bool { name.hasPrefix("__MACOSX/") || name == ".DS_Store" }
}
