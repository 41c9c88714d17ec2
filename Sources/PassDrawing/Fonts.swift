import CPango

/// What fontconfig knows of the fonts of this computer.
package enum Fonts {
    /// Has fontconfig read its configuration, and remember in its cache what is new: for programs that may
    /// not write to it later. It starts no thread.
    ///
    /// - Returns: The folders that fonts lie in, to be read when text is drawn.
    package static func prepare() throws(DrawingError) -> [String] {
        guard FcInit() != 0, let fonts = unsafe FcConfigGetFonts(nil, FcSetSystem),
            unsafe fonts.pointee.nfont > 0, let list = unsafe FcConfigGetFontDirs(nil)
        else { throw .noFont }
        defer { unsafe FcStrListDone(list) }
        var folders: [String] = []
        while let folder = unsafe FcStrListNext(list) {
            folders.append(unsafe String(cString: folder))
        }
        return folders
    }
}
