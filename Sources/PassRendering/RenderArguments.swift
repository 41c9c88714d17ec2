internal import Bytes
internal import Foundation
internal import PassDrawing

/// The command-line arguments: `KIND SCALE LANGUAGES LOCALE TIMEZONE SIDES`, the languages
/// separated by colons.
struct RenderArguments {
    let kind: PictureKind
    /// Pixels per point of a PNG.
    let scale: Int
    /// BCP 47 tags, in order of preference.
    let languages: [String]
    let locale: String
    let timeZone: TimeZone
    /// Whether backs are drawn too.
    let hasBack: Bool

    /// Nil if they are invalid.
    init?(_ arguments: [String]) {
        guard arguments.count == 6, let kind = PictureKind(rawValue: arguments[0]),
            let scale = Int(arguments[1]), 1...3 ~= scale,
            !arguments[3].isEmpty, let timeZone = TimeZone(identifier: arguments[4]),
            ["front", "both"].contains(arguments[5])
        else { return nil }
        languages = arguments[2].split(separator: ":").map(String.init)
        if languages.isEmpty { return nil }
        self.kind = kind
        self.scale = scale
        locale = arguments[3]
        self.timeZone = timeZone
        hasBack = arguments[5] == "both"
    }

    var options: FaceOptions {
        FaceOptions(
            languages: languages, locale: Locale(identifier: locale), timeZone: timeZone,
            // Vector formats can be enlarged, so use the largest images.
            scale: kind == .png ? scale : 3)
    }
}
