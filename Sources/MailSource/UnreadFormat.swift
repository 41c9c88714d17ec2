/// A format that is recognised but not read. Problem records name it.
package enum UnreadFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// Outlook's .pst and .ost.
    case outlookFolders
    /// The .dbx files of Outlook Express.
    case outlookExpress
    /// Messages and files encrypted with OpenPGP (RFC 9580).
    case encryptedOpenPGP
    /// Encrypted S/MIME messages (RFC 8551, 3.3) and other encrypted CMS data.
    case encryptedCMS
    case encryptedZip
    case encrypted7z
    case encryptedRAR
    /// RFC 7932: HTTP responses may be compressed with it.
    case brotli
    /// Dovecot's zlib plugin can compress messages with it.
    case dovecotLZ4
    /// Messages that Dovecot's mail_crypt plugin encrypted.
    case dovecotEncrypted
    /// Messages (.rpmsg) and files (.pfile) protected by Microsoft Purview.
    case protectedByMicrosoft
    /// An order (.order), which Apple Wallet shows like a pass.
    case appleOrder
    /// The placeholder of a file that macOS has not fetched from iCloud: `.NAME.icloud`.
    case iCloudPlaceholder
    /// Databases of Notes (.nsf).
    case notes
    /// Folders of The Bat! (.tbb).
    case theBat
    /// Folders of Pegasus Mail (.pmm).
    case pegasus
}
