/// The file format of a drawn pass.
package enum PictureKind: String, CaseIterable, Sendable {
    case png, svg, pdf

    /// Derives the format from the file name extension.
    package init?(ofFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[point...].dropFirst().asciiLowercased)
    }

    /// The magic bytes of the format.
    package var beginning: [UInt8] {
        switch self {
        case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        case .svg: Array("<?xml".utf8)
        case .pdf: Array("%PDF-".utf8)
        }
    }
}
