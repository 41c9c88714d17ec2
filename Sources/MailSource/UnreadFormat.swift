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
}
