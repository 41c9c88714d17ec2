import CPango

/// The fonts known to fontconfig.
package enum Fonts {
    /// Loads fontconfig's configuration and updates its cache, for programs that may not write
    /// later. Starts no thread.
    ///
    /// - Returns: The font folders, which must be readable when text is drawn.
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
