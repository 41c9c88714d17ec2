package import Archives

/// The name of a file in an archive, divided into the folder that may hold an unpacked pass and
/// the path in it: `Cards/A.pkpass` and `en.lproj/pass.strings`.
package struct PassFolderPath {
    package let folder: EntryName
    package let file: EntryName

    package init(_ name: String) {
        var (folder, file) = PassFolderPath.divided(name[...])
        let (outer, last) = PassFolderPath.divided(folder)
        if last.utf8.suffix(6).elementsEqual(".lproj".utf8) {
            (folder, file) = (outer, name[last.startIndex...])
        }
        self.folder = EntryName(String(folder))
        self.file = EntryName(String(file))
    }

    private static func divided(_ name: Substring) -> (folder: Substring, last: Substring) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return (name[..<name.startIndex], name)
        }
        return (name[..<slash], name[name.utf8.index(after: slash)...])
    }

    /// What a file says about its folder.
    package var marks: Marks {
        switch file {
        case "pass.json": .pass
        case "manifest.json": .manifest
        case "signature": .signature
        default: []
        }
    }

    /// Whether macOS would have named the folder so.
    package var isNamedPass: Bool { folder.text.utf8.suffix(7).elementsEqual(".pkpass".utf8) }

    package struct Marks: OptionSet, Sendable {
        package let rawValue: UInt8
        package static let pass = Marks(rawValue: 1)
        package static let manifest = Marks(rawValue: 2)
        package static let signature = Marks(rawValue: 4)

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Whether a folder with these files holds a pass; the rule is that of folders on disk.
        package func arePass(isNamedPass: Bool) -> Bool {
            contains(isNamedPass ? [.pass, .manifest] : [.pass, .manifest, .signature])
        }
    }
}
