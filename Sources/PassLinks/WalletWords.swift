import Bytes

/// The kinds of words in a label that show whether it is that of a button for Apple Wallet.
///
/// Apple's badge "Add to Apple Wallet" has 45 locales (developer.apple.com/wallet, "Add to Apple
/// Wallet badge guidelines"). Its pictures contain no text, so the wordings are those of shops:
/// `add_to_apple_wallet` in the 31 languages of Shopify's theme Dawn (github.com/Shopify/dawn,
/// locales). The other names of Wallet were found in public repositories, as labels or `alt` of the
/// badge. "Cartes d'Apple" is not among them, since programs also use it for Apple Maps.
struct WalletWords: OptionSet {
    let rawValue: UInt8

    /// Apple Wallet as Apple and other people call it.
    static let name = WalletWords(rawValue: 1)
    /// Nothing but such a name.
    static let nameOnly = WalletWords(rawValue: 2)
    /// "Apple Wallet" itself.
    static let englishName = WalletWords(rawValue: 4)
    /// A verb of the badge.
    static let verb = WalletWords(rawValue: 8)
    /// A word of texts that explain Apple Wallet, or praise it.
    static let explanation = WalletWords(rawValue: 16)
    private static let addToWallet = WalletWords(rawValue: 32)
    private static let otherWallet = WalletWords(rawValue: 64)

    /// Whether they add a pass to Apple Wallet, or to "Wallet" and no other one.
    var addToWallet: Bool {
        contains([.name, .verb]) || contains(.addToWallet) && !contains(.otherWallet)
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Finds the words of a text, whatever stands between their letters.
    init(in text: ArraySlice<UInt8>) {
        self = []
        let letters = WalletWords.letters(of: text)
        let groups = WalletWords.groups
        for start in letters.indices.dropLast() {
            let group = WalletWords.group(letters[start], letters[start + 1])
            for word in groups[group] where letters[start...].starts(with: word.letters) {
                formUnion(word.kinds)
                if word.kinds.contains(.name), word.letters.count == letters.count {
                    insert(.nameOnly)
                }
            }
        }
    }

    /// The letters in lower case, so that `Add_to_Apple_Wallet.svg`, `apple-wallet` and a text with
    /// any white space match.
    private static func letters(of text: some Collection<UInt8>) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(text.count)
        // Most labels are ASCII, for which the properties of Unicode are not needed.
        if text.allSatisfy({ $0 < 0x80 }) {
            for byte in text where byte.isASCIILetter { letters.append(byte.asciiLowercased) }
            return letters
        }
        for scalar in String(streamSafe: text).unicodeScalars
        where scalar.properties.isAlphabetic {
            letters += Array(scalar.properties.lowercaseMapping.utf8)
        }
        return letters
    }

    /// The words by their first two bytes.
    private static let groups: [[(letters: [UInt8], kinds: WalletWords)]] = {
        var groups = [[(letters: [UInt8], kinds: WalletWords)]](repeating: [], count: 1024)
        for (texts, kinds) in lists {
            for text in texts.utf8.split(separator: UInt8(ascii: ",")) {
                let word = letters(of: text)
                groups[group(word[0], word[1])].append((word, kinds))
            }
        }
        return groups
    }()

    private static func group(_ first: UInt8, _ second: UInt8) -> Int {
        (Int(first) << 5 ^ Int(second)) & 1023
    }

    private static let lists: [(words: String, kinds: WalletWords)] = [
        ("Apple Wallet", [.name, .englishName]),
        ("add to wallet, aggiungi a wallet", .addToWallet),
        ("Google, Samsung", .otherWallet),
        (
            """
            Passbook, Wallet da Apple, Appleウォレット, Apple 지갑, Apple 钱包, Apple 錢包,
            Apple 銀包, Carteira da Apple, Carteira Apple, Cartera de Apple, Billetera de Apple,
            Portefeuille Apple, Apple Peněžen, Apple Peňažen, Apple Plånbok, Apple Lommebok,
            Apple Cüzdan, Portfela Apple, Portofel Apple, Portofelul Apple, Apple Tárc,
            Dompet Apple, Ví Apple, محفظة Apple, ארנק Apple, ארנק של Apple, à Cartes Apple,
            Peněženky Apple, Peněženka Apple, Peňaženky Apple, Peňaženka Apple, Apple Lompak,
            Applen Lompak, Apple Novčanik, Πορτοφόλι Apple, Apple Πορτοφόλι, Apple Гаман
            """, .name
        ),
        (
            """
            add, save to, save in, save your, download, open in, hinzuf, speichern, sichern,
            ajout, enregistrer, añadir, añade, agregar, agrega, guardar, guarda, aggiungi, salva,
            adicionar, adicione, toevoegen, voeg, zet in, bewaar, føj til, tilføj, gem i Apple,
            legg til, lagre, lägg till, spara, lisää, lisa Apple, tallenna, přid, ulož, prida,
            dodaj, zapisz, hozzáad, adaug, adăug, salveaz, добав, сохран, дода, προσθ, πρόσθ,
            ekle, kaydet, הוס, إضافة, أضف, 追加, 추가, 添加, 加入, 加至, 新增, เพิ่ม, thêm,
            tambah, जोड़, pridė
            """, .verb
        ),
        (
            """
            how to, how do, how can, learn how, learn more, help, faq, guide, about, support,
            banner, newsletter, blog, can now, now available, additional, address, wie kann,
            wie füg, so füg, comment ajout, cómo añad, cómo agreg, come aggiung, como adicion,
            hoe voeg, hvordan, sådan, jak dod, jak přid, hur lägger
            """, .explanation
        ),
    ]
}
