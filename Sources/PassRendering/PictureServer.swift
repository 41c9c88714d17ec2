internal import Bytes
internal import Confinement
internal import Foundation
import Glibc
internal import PassDrawing
internal import PassModel
internal import PassVerification
internal import Platform

/// Decodes pictures of passes in a confined process, on behalf of a program with more permissions.
/// Each message in is a pass file, each message out its pictures, in the format of `FacePictures`.
enum PictureServer {
    /// The CPU time after which the server ends and must be restarted, in seconds.
    private static let time = 30

    /// - Parameter arguments: `SCALE LANGUAGES`.
    /// - Returns: Whether they are valid.
    static func run(_ arguments: [String]) throws -> Bool {
        guard arguments.count == 2, let scale = Int(arguments[0]), 1...3 ~= scale else {
            return false
        }
        let options = FaceOptions(
            languages: arguments[1].split(separator: ":").map(String.init),
            locale: Locale(identifier: "en"), scale: scale)
        FacePictures.prepare()
        // Foundation reads its language data on first use.
        _ = languageOrder(of: ["de", "en"], for: options.languages)
        ResourceLimits(time: rlim_t(2 * time)).apply()
        _ = try ProcessRights.nothing.apply()
        let (input, output) = (FileDescriptor(STDIN_FILENO), FileDescriptor(STDOUT_FILENO))
        let limit = VerificationLimits().archive
        while ResourceLimits.usedTime < time, let bytes = try input.readMessage(limit: limit) {
            try output.writeMessage(pictures(of: SpooledBytes(bytes), options).bytes.span)
        }
        return true
    }

    private static func pictures(of octets: SpooledBytes, _ options: FaceOptions) -> FacePictures {
        guard let file = UnjudgedPass(octets) else { return .none }
        return FacePictures(file.images, of: file.pass, for: options)
    }
}
