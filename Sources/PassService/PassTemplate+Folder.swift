internal import PassSigning

extension PassTemplate {
    /// All files of a row's pass, without its signature.
    ///
    /// - Parameter images: The images of the row, by path, which replace those of the template.
    func folder(
        for row: TemplateRow, _ images: [String: [UInt8]]
    ) throws(RowFault) -> PassFolder {
        PassFolder(shared.merging(images) { $1 }.merging(try files(for: row)) { $1 })
    }
}
