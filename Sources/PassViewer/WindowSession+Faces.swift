internal import Bytes
internal import Foundation
internal import PassDrawing
internal import PassModel
internal import PassPresentation
internal import PassSession

extension WindowSession {
    /// Draws the face of a pass, with images that another process decoded.
    ///
    /// - Parameter now: Decides whether the pass has expired; nil for the start of the program.
    func face(of pass: Pass, _ octets: SpooledBytes?, at now: Date? = nil) -> PassFace {
        let bytes = octets.flatMap { pictures.pictures(of: $0) }
        return PassFace(
            pass, bytes.flatMap { FacePictures(bytes: $0) } ?? .none,
            for: FaceOptions(now.map(displayLocale.reading) ?? displayLocale))
    }
}

extension FaceOptions {
    init(_ displayLocale: DisplayLocale) {
        self.init(
            languages: displayLocale.languages, locale: displayLocale.locale,
            timeZone: displayLocale.timeZone,
            now: displayLocale.now)
    }
}
