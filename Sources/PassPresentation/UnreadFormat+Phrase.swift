package import MailSource

extension UnreadFormat: Worded {
    package var phrase: Phrase {
        switch self {
        case .outlookFolders: Phrase("Outlook data files (.pst, .ost) are not read")
        case .outlookExpress: Phrase("Outlook Express folders (.dbx) are not read")
        case .encryptedOpenPGP: Phrase("data encrypted with OpenPGP is not read")
        case .encryptedCMS: Phrase("data encrypted with S/MIME or CMS is not read")
        case .encryptedZip: Phrase("encrypted ZIP archives are not read")
        case .encrypted7z: Phrase("encrypted 7z archives are not read")
        case .encryptedRAR: Phrase("encrypted RAR archives are not read")
        case .brotli: Phrase("data compressed with Brotli is not read")
        case .dovecotLZ4: Phrase("data that Dovecot compressed with LZ4 is not read")
        }
    }
}
