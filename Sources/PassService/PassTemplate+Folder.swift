internal import PassSigning

extension PassTemplate {
    /// Makes the files of a row's pass, except the signature.
    ///
    /// - Parameter images: The images of the row, by path. They replace images of the template.
    func folder(
        for row: TemplateRow, _ images: [String: [UInt8]]
    ) throws(RowFault) -> PassFolder {
        PassFolder(shared.merging(images) { $1 }.merging(try files(for: row)) { $1 })
    }
}
