internal import ArgumentParser

/// What kind of file a pass is drawn into.
enum PictureKind: String, CaseIterable, ExpressibleByArgument {
    case png, svg, pdf

    /// By the ending of a file's name.
    init?(ofFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[point...].dropFirst().lowercased())
    }
}
