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
        case .dovecotEncrypted: Phrase("data that Dovecot encrypted is not read")
        case .protectedByMicrosoft:
            Phrase("data protected by Microsoft (.pfile, .rpmsg) is not read")
        case .appleOrder: Phrase("it is an order for Apple Wallet, not a pass")
        case .iCloudPlaceholder:
            Phrase("the file is in iCloud, and only its placeholder is here")
        case .notes: Phrase("databases of Notes (.nsf) are not read")
        case .theBat: Phrase("folders of The Bat! (.tbb) are not read")
        case .pegasus: Phrase("folders of Pegasus Mail (.pmm) are not read")
        }
    }
}
