internal import Foundation
internal import PassDrawing

/// What the program is asked for: `KIND SCALE LANGUAGES LOCALE SIDES`, the languages with a colon between
/// them.
struct RenderArguments {
    let kind: PictureKind
    /// Pixels a point of a PNG.
    let scale: Int
    /// BCP 47, the one liked best first.
    let languages: [String]
    let locale: String
    /// Whether the backs are drawn too.
    let hasBack: Bool

    /// Nil for what makes no sense.
    init?(_ arguments: [String]) {
        guard arguments.count == 5, let kind = PictureKind(rawValue: arguments[0]),
            let scale = Int(arguments[1]), 1...3 ~= scale,
            !arguments[3].isEmpty,
            ["front", "both"].contains(arguments[4])
        else { return nil }
        languages = arguments[2].split(separator: ":").map(String.init)
        if languages.isEmpty { return nil }
        self.kind = kind
        self.scale = scale
        locale = arguments[3]
        hasBack = arguments[4] == "both"
    }

    var options: FaceOptions {
        FaceOptions(
            languages: languages, locale: Locale(identifier: locale),
            // The largest images for what may be enlarged.
            scale: kind == .png ? scale : 3)
    }
}
