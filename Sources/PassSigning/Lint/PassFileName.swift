internal import Bytes
internal import PassModel

/// The names of the files that Wallet reads.
enum PassFileName {
    /// The rules for images.
    static let images: [PassImageName: ImageRule] = [
        .icon: ImageRule(exactly: [(38, 38), (29, 29)]),
        .logo: ImageRule(most: (160, 50)),
        .primaryLogo: ImageRule(most: (126, 30)),
        .secondaryLogo: ImageRule(most: (135, 12)),
        .thumbnail: ImageRule(most: (90, 90)),
        .footer: ImageRule(most: (286, 15)),
        .background: ImageRule(exactly: [(345, 505), (180, 220)]),
        .artwork: ImageRule(exactly: [(358, 448)]),
        .strip: ImageRule(
            exactly: [
                (375, 144), (375, 123), (375, 98), (320, 123), (320, 110), (320, 84), (312, 123),
                (312, 110), (312, 84),
            ]),
        .venueMap: ImageRule(),
        .personalizationLogo: ImageRule(),
    ]

    /// The names at the top of a pass.
    private static let top: Set<String> = imageNames.union(["pass.json", "personalization.json"])
    /// The names in a folder of a language.
    private static let ofLanguage: Set<String> = imageNames.union(["pass.strings"])

    private static let imageNames = Set(
        PassImageName.allCases.flatMap { kind in
            ["", "@2x", "@3x"].flatMap {
                ["\(kind.rawValue)\($0).png", "\(kind.rawValue)\($0).pdf"]
            }
        })

    /// Whether Wallet reads the file.
    static func isKnown(_ path: String) -> Bool {
        let (folder, name) = split(path)
        return names(in: folder)?.contains(name) ?? false
    }

    /// The path that was probably meant by one that Wallet does not read.
    ///
    /// - Returns: Also whether it is the only one, and not there; nil if none is similar.
    static func meant(
        by path: String, besides isThere: (String) -> Bool
    ) -> (path: String, isCertain: Bool)? {
        let (folder, name) = split(path)
        guard let names = names(in: folder) else { return nil }
        let start = folder.isEmpty ? "" : "\(folder)/"
        let nearest = nearestWord(to: name, in: names, besides: { isThere(start + $0) })
        return nearest.map { (start + $0.word, $0.isCertain) }
    }

    /// The kind and the scale of an image that Wallet reads.
    static func image(_ path: String) -> (kind: PassImageName, scale: Int)? {
        let name = split(path).name
        guard isKnown(path), let point = name.lastIndex(of: "."), imageNames.contains(name) else {
            return nil
        }
        let parts = name[..<point].split(separator: "@")
        guard let kind = parts.first.flatMap({ PassImageName(exactly: String($0)) }) else {
            return nil
        }
        return (kind, parts.count == 2 ? Int(parts[1].prefix(1)) ?? 1 : 1)
    }

    /// The language of a folder named for one.
    static func language(_ path: String) -> String? {
        let folder = split(path).folder
        return isLanguage(folder) ? String(folder.dropLast(ending.count)) : nil
    }

    /// Files that operating systems create on their own. The issuer does not miss them.
    static func isOfSystem(_ path: String) -> Bool {
        let (folder, name) = split(path)
        return [".DS_Store", "Thumbs.db", "desktop.ini", ".localized"].contains(name)
            || name.hasPrefix("._") || folder == "__MACOSX" || folder.hasPrefix("__MACOSX/")
    }

    private static func names(in folder: String) -> Set<String>? {
        folder.isEmpty ? top : isLanguage(folder) ? ofLanguage : nil
    }

    private static let ending = ".lproj"

    private static func isLanguage(_ folder: String) -> Bool {
        folder.hasSuffix(ending) && folder.count > ending.count && !folder.contains("/")
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }
}

/// The word that was probably meant by a misspelt one: the same in other case, or one with at most
/// two mistakes, one in a short word. Of words that are equally near, one that is not there yet.
///
/// - Parameter isThere: Whether a word is there as well, so that another was meant.
/// - Returns: Also whether it is the only one, and not there yet.
func nearestWord(
    to misspelt: String, in words: some Collection<String>,
    besides isThere: (String) -> Bool = { _ in false }
) -> (word: String, isCertain: Bool)? {
    guard misspelt.count >= 3, misspelt.count <= 60 else { return nil }
    var least = misspelt.count < 6 ? 1 : 2
    let letters = Array(misspelt.lowercased())
    var nearest: [String] = []
    for word in words where abs(word.count - letters.count) <= least {
        let distance = editDistance(letters, Array(word.lowercased()))
        guard distance <= least else { continue }
        if distance < least { nearest = [] }
        least = distance
        nearest.append(word)
    }
    let missing = nearest.filter { !isThere($0) }
    guard let word = missing.min() ?? nearest.min() else { return nil }
    return (word, missing.count == 1)
}
