internal import ArgumentParser

/// What kind of file a pass is drawn into.
package enum PictureKind: String, CaseIterable, ExpressibleByArgument {
    case png, svg, pdf

    /// By the ending of a file's name.
    package init?(ofFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[point...].dropFirst().lowercased())
    }

    /// What every file of the kind begins with.
    var beginning: [UInt8] {
        switch self {
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .svg: Array("<?xml".utf8)
        case .pdf: Array("%PDF-".utf8)
        }
    }
}
