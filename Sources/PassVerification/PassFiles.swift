import Archives
import Bytes
import PassModel

/// What lies in the archive: the hash of every file, and the few files that are read.
struct PassFiles {
    /// SHA-1 by path, in lower-case hexadecimal digits.
    private(set) var hashes: [EntryName: String] = [:]
    /// The paths, in the order of the archive; without manifest.json and signature.
    private(set) var names: [EntryName] = []
    let pass: [UInt8]?
    let manifest: [UInt8]?
    let signature: [UInt8]?
    /// pass.strings by language.
    private(set) var strings: [String: [UInt8]] = [:]
    private(set) var notes: [Finding] = []

    /// Reads every file once, and so sees also the damaged one that nobody would look at; or the texts
    /// of the pass alone.
    init(
        of archive: borrowing ZipArchive, limits: VerificationLimits, onlyTexts: Bool = false
    ) throws(ZipError) {
        try archive.refuseUnsafe()
        if archive.leadingCount > 0 { notes.append(.leadingBytes(archive.leadingCount)) }
        if archive.trailingCount > 0 { notes.append(.trailingBytes(archive.trailingCount)) }
        // Whether what a Mac added may be there at all is the manifest's to say.
        let folder = archive.topFolder(around: "pass.json")
        if let folder { notes.append(.topFolder(folder)) }

        var held: [EntryName: [UInt8]] = [:]
        var heldStrings = 0
        for entry in archive.entries where !entry.isDirectory {
            let name = path(of: entry, in: folder)
            let language = language(ofStrings: name.text)
            let isRead =
                language != nil || ["pass.json", "manifest.json", "signature"].contains(name)
            if onlyTexts, language == nil, name != "pass.json" {
                names.append(name)
                continue
            }
            // A pass.strings that PassModel would leave out is not held for it.
            let limit = name == "signature" ? limits.signature : limits.held
            let room = language == nil ? limit : PassLimits().stringsBytes + 1
            var bytes: [UInt8] = []
            var hash = Hash(.sha1)
            try archive.read(entry, limit: isRead && language == nil ? limit : nil) { piece in
                hash.add(piece)
                if isRead, bytes.count < room {
                    unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
                }
                return true
            }
            if let language {
                heldStrings += bytes.count
                if heldStrings <= limits.held { strings[language] = bytes }
            } else if isRead {
                held[name] = bytes
            }
            // Without their folder two names can be one.
            guard hashes[name] == nil else { throw .duplicateName(name.text) }
            hashes[name] = hash.finish()
            if name != "manifest.json", name != "signature" { names.append(name) }
        }
        (pass, manifest, signature) = (held["pass.json"], held["manifest.json"], held["signature"])
        notes.append(
            contentsOf: images.filter(isMisspelt).prefix(limits.findings).map { .imageNameCase($0) }
        )
    }

    var images: [String] { names.map(\.text).filter { ends($0.utf8, with: ".png") } }
}

private func path(of entry: ZipEntry, in folder: String?) -> EntryName {
    let name = entry.name.unicodeScalars
    guard let folder, name.starts(with: "\(folder)/".unicodeScalars) else {
        return EntryName(entry.name)
    }
    return EntryName(String(name.dropFirst(folder.unicodeScalars.count + 1)))
}

/// The language of `LANGUAGE.lproj/pass.strings`.
private func language(ofStrings name: String) -> String? {
    let ending = ".lproj/pass.strings".utf8
    guard name.utf8.suffix(ending.count).elementsEqual(ending) else { return nil }
    let language = name.utf8.dropLast(ending.count)
    return language.isEmpty || language.contains(UInt8(ascii: "/"))
        ? nil : String(Substring(language))
}

/// Whether a name has this ending, which is in lower case, in any case.
private func ends(_ name: String.UTF8View, with ending: String) -> Bool {
    name.suffix(ending.utf8.count).map(\.asciiLowercased).elementsEqual(ending.utf8)
}

/// Whether Wallet would find the image if its name had no capitals.
private func isMisspelt(_ name: String) -> Bool {
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last
    let file = last.map { String(Substring($0)) } ?? name
    let kinds = ["icon", "logo", "thumbnail", "strip", "background", "footer"]
    let known = kinds.flatMap { kind in ["", "@2x", "@3x"].map { "\(kind)\($0).png" } }
    return file != file.lowercased() && known.contains(file.lowercased())
}
