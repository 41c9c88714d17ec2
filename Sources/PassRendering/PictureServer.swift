internal import Bytes
internal import Confinement
internal import Foundation
import Glibc
internal import PassDrawing
internal import PassModel
internal import PassVerification

/// Decodes the pictures of passes for a program that has more rights than one that handles what strangers
/// wrote should have. Each message in is a pass file, each message out its pictures, as `FacePictures`
/// reads them.
enum PictureServer {
    /// In seconds, how much work it does before another one has to be started.
    private static let time = 30

    /// - Parameter arguments: `SCALE LANGUAGES`.
    /// - Returns: Whether they make sense.
    static func run(_ arguments: [String]) throws -> Bool {
        guard arguments.count == 2, let scale = Int(arguments[0]), 1...3 ~= scale else {
            return false
        }
        let options = FaceOptions(
            languages: arguments[1].split(separator: ":").map(String.init),
            locale: Locale(identifier: "en"), scale: scale)
        FacePictures.prepare()
        // What Foundation reads of languages, it reads when it is first asked.
        _ = chosenLanguage(from: ["de", "en"], for: options.languages)
        ResourceLimits(time: rlim_t(2 * time)).apply()
        _ = try Confinement.nothing.apply()
        let (input, output) = (FileDescriptor(STDIN_FILENO), FileDescriptor(STDOUT_FILENO))
        let limit = VerificationLimits().archive
        while ResourceLimits.usedTime < time, let bytes = try input.readMessage(limit: limit) {
            try output.writeMessage(pictures(of: SpooledBytes(bytes), options).bytes.span)
        }
        return true
    }

    private static func pictures(of octets: SpooledBytes, _ options: FaceOptions) -> FacePictures {
        guard let pass = Pass(unjudged: octets) else { return .none }
        return FacePictures(PassImages(octets: octets), of: pass, for: options)
    }
}
