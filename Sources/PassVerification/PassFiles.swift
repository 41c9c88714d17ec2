import Archives
import Bytes
import Cryptography
import PassModel

/// The files in the archive: the hash of each, and the contents of those needed.
struct PassFiles {
    /// The SHA-1 of each file by path, in lower-case hexadecimal digits.
    private(set) var hashes: [EntryName: String] = [:]
    /// The paths in archive order, without manifest.json and signature.
    private(set) var names: [EntryName] = []
    let pass: [UInt8]?
    let manifest: [UInt8]?
    let signature: [UInt8]?
    /// pass.strings by language.
    private(set) var strings: [String: [UInt8]] = [:]
    private(set) var notes: [Finding] = []
    /// The metadata that a Mac added beside the folder around the pass.
    private(set) var besideFolder: Set<EntryName> = []

    /// Reads every file once, to detect damage in any of them; or only the texts of the pass.
    init(
        of archive: ZipArchive, limits: VerificationLimits, onlyTexts: Bool = false
    ) throws(ZipError) {
        let headers = try archive.refuseUnsafe()
        // A reader that streams the archive would show this one.
        if let name = headers.hides("pass.json") { throw .hiddenEntry(name: name) }
        if archive.leadingCount > 0 { notes.append(.leadingBytes(count: archive.leadingCount)) }
        if archive.trailingCount > 0 { notes.append(.trailingBytes(count: archive.trailingCount)) }
        // The manifest decides whether metadata added by a Mac is allowed.
        let folder = archive.topFolder(around: "pass.json")
        if let folder { notes.append(.topFolder(name: folder)) }
        notes += headers.differing.prefix(limits.findings).map { .localHeaderDiffers(path: $0) }
        notes += headers.hidden.prefix(limits.findings).compactMap { name in
            String(validatingStreamSafe: name).map { .hiddenFile(path: $0) }
        }

        var held: [EntryName: [UInt8]] = [:]
        var heldStrings = 0
        for entry in archive.entries where !entry.isDirectory {
            let name = path(of: entry, in: folder)
            let language = language(ofStrings: name.text)
            let isRead =
                language != nil || ["pass.json", "manifest.json", "signature"].contains(name)
            if onlyTexts, language == nil, name != "pass.json", name != "manifest.json" {
                names.append(name)
                continue
            }
            // A pass.strings too large for PassModel is not kept.
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
            // Removing the top-level folder may make two names equal.
            guard hashes[name] == nil else { throw .duplicateName(name.text) }
            hashes[name] = hash.finish()
            if name != "manifest.json", name != "signature" { names.append(name) }
            if folder != nil, entry.isOfMac { besideFolder.insert(name) }
        }
        (pass, manifest, signature) = (held["pass.json"], held["manifest.json"], held["signature"])
        notes.append(
            contentsOf: images.filter(isMisspelt).prefix(limits.findings).map {
                .imageNameCase(name: $0)
            }
        )
    }

    /// The language folders in the order of the manifest, then those that it lacks in the order of
    /// the archive.
    fileprivate func localizations(_ limits: VerificationLimits) -> [String] {
        let present = names.map(\.text)
        let all = Set(present.compactMap(languageFolder).map(ExactText.init(_:)))
        let listed =
            all.count > 1
            ? manifest.flatMap { try? Manifest($0, limit: limits.manifestPaths).paths } : nil
        var seen: Set<ExactText> = []
        return ((listed ?? []) + present).compactMap(languageFolder).filter { folder in
            let folder = ExactText(folder)
            return all.contains(folder) && seen.insert(folder).inserted
        }
    }

    fileprivate var images: [String] { names.map(\.text).filter { ends($0.utf8, with: ".png") } }
}

extension Pass {
    /// The pass in an archive.
    init(
        _ json: [UInt8], _ files: PassFiles, limits: VerificationLimits = VerificationLimits()
    ) throws(PassError) {
        try self.init(
            json: json, strings: files.strings, images: files.images,
            localizations: files.localizations(limits))
    }
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
    guard let folder = languageFolder(name),
        name.utf8.count == folder.utf8.count + ".lproj/pass.strings".utf8.count,
        name.utf8.suffix(12).elementsEqual("pass.strings".utf8)
    else { return nil }
    return folder
}

/// The language of `LANGUAGE.lproj/FILE`.
private func languageFolder(_ name: String) -> String? {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let ending = ".lproj".utf8
    guard parts.count == 2, parts[0].count > ending.count,
        parts[0].suffix(ending.count).elementsEqual(ending)
    else { return nil }
    return String(Substring(parts[0].dropLast(ending.count)))
}

/// Whether a name has this lower-case suffix, ignoring case.
private func ends(_ name: String.UTF8View, with ending: String) -> Bool {
    name.suffix(ending.utf8.count).map(\.asciiLowercased).elementsEqual(ending.utf8)
}

/// Whether the name of an image differs only in case from one that Wallet reads
/// (VIOLATIONS.md, P32).
private func isMisspelt(_ name: String) -> Bool {
    let last = name.utf8.split(separator: UInt8(ascii: "/")).last
    let file = last.map { String(Substring($0)) } ?? name
    let kinds = ["icon", "logo", "thumbnail", "strip", "background", "footer"]
    let known = kinds.flatMap { kind in ["", "@2x", "@3x"].map { "\(kind)\($0).png" } }
    let lower = file.asciiLowercased
    return !file.isExactly(lower) && known.contains(lower)
}
