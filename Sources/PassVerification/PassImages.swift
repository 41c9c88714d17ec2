import Archives
import Bytes
package import PassModel

/// The images of a pass file, read on demand.
package struct PassImages {
    private let archive: ZipArchive
    private let limits: VerificationLimits
    private let localizations: [String]
    private let places: [PassImageName: [ImageFile]]

    /// The images of an archive without unsafe names.
    ///
    /// - Parameter localizations: The language folders of the pass, in its order.
    init(of archive: ZipArchive, localizations: [String], limits: VerificationLimits) {
        let folder = archive.topFolder(around: "pass.json")
        var places: [PassImageName: [ImageFile]] = [:]
        for entry in archive.entries where !entry.isDirectory {
            guard let (name, place) = ImageFile.read(entry, in: folder) else { continue }
            places[name, default: []].append(place)
        }
        self.archive = archive
        self.limits = limits
        self.localizations = localizations
        self.places = places
    }

    /// The images for the user's languages (BCP 47, in order of preference), best first: those of
    /// the folder whose texts are shown, then those outside of language folders, then those of the
    /// folders that have missing texts, in the same order; within each group the wanted scale, then
    /// larger ones, then smaller ones. Images outside of folders are for every language, so they come
    /// before those of a folder that is not for this reader. An image may be damaged; the caller then
    /// decodes the next.
    package func images(
        _ name: PassImageName, scale: Int, languages: [String]
    ) -> some Sequence<PassImage> {
        let places = places[name] ?? []
        let (suitable, others) = languageOrder(of: localizations, for: languages)
        var order: [ExactText?] = (suitable + others).map(ExactText.init(_:))
        order.insert(nil, at: min(1, suitable.count))
        return order.lazy
            .flatMap { wanted in
                places.filter { $0.folder == wanted }
                    .sorted { $0.isBetter(than: $1, for: scale) }
            }
            .compactMap { place in
                bytes(of: place).map { PassImage(bytes: $0, scale: place.scale) }
            }
    }

    private func bytes(of place: ImageFile) -> [UInt8]? {
        guard let octets = try? archive.octets(of: place.entry, limit: limits.held) else {
            return nil
        }
        return try? octets.array()
    }
}

/// An image file of the pass, possibly damaged.
package struct PassImage: Sendable, Hashable {
    /// Usually a PNG.
    package let bytes: [UInt8]
    /// The scale in pixels per point: 1, 2 or 3.
    package let scale: Int
}

/// The location of an image in the archive.
private struct ImageFile: Sendable {
    let entry: ZipEntry
    let scale: Int
    /// The name of the language folder without `.lproj`; nil outside of one.
    let folder: ExactText?
    /// Whether the name is in the exact case.
    let isExact: Bool

    static func read(_ entry: ZipEntry, in folder: String?) -> (PassImageName, ImageFile)? {
        var name = entry.name.utf8[...]
        if let folder {
            guard name.starts(with: "\(folder)/".utf8) else { return nil }
            name = name.dropFirst(folder.utf8.count + 1)
        }
        let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 2, last.count <= longestName else { return nil }
        var language: ExactText?
        if parts.count == 2 {
            let ending = ".lproj".utf8
            guard parts[0].suffix(ending.count).elementsEqual(ending) else { return nil }
            language = ExactText(String(Substring(parts[0].dropLast(ending.count))))
        }
        let file = Substring(last)
        guard let (image, scale) = names[file.asciiLowercased] else { return nil }
        let place = ImageFile(
            entry: entry, scale: scale, folder: language,
            isExact: file == fileName(of: image, scale: scale))
        return (image, place)
    }

    /// Longer names are not compared.
    private static let longestName = 40

    /// The images by their file names in lower case.
    private static let names = Dictionary(
        uniqueKeysWithValues: PassImageName.allCases.flatMap { name in
            (1...3).map { (fileName(of: name, scale: $0).asciiLowercased, (name, $0)) }
        })

    private static func fileName(of name: PassImageName, scale: Int) -> String {
        scale == 1 ? "\(name.rawValue).png" : "\(name.rawValue)@\(scale)x.png"
    }

    /// Larger images are preferred to smaller ones if none has the wanted scale.
    func isBetter(than other: ImageFile, for wanted: Int) -> Bool {
        let mine = scale >= wanted ? scale - wanted : 10 - scale
        let others = other.scale >= wanted ? other.scale - wanted : 10 - other.scale
        return mine != others ? mine < others : isExact && !other.isExact
    }
}
