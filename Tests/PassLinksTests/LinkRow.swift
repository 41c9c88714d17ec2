import Bytes
import PassDetection
import Testing

@testable import PassLinks

/// A text, and the links that must be found in it.
struct LinkRow: Sendable, CustomTestStringConvertible {
    let text: String
    var isHTML = false
    var isCalendar = false
    let links: [Link]

    var testDescription: String { text }

    /// Checks the row as a whole, and in chunks that end at every byte.
    func check() {
        #expect(found(text, isHTML: isHTML, isCalendar: isCalendar) == links)
        let bytes = Array(text.utf8)
        for place in 0...bytes.count {
            var finder = LinkFinder(isHTML: isHTML, isFolded: isCalendar, types: .builtIn)
            finder.feed(bytes.span.extracting(0..<place))
            finder.feed(bytes.span.extracting(place..<bytes.count))
            finder.finish()
            guard finder.links != links else { continue }
            Issue.record("cut at \(place), it holds \(finder.links)")
            return
        }
        #expect(
            found(text, isHTML: isHTML, isCalendar: isCalendar, pieces: 1) == links,
            "byte by byte")
    }

    /// A text with one link, `https://x.example/a.pkpass` by default.
    private static func one(
        _ text: String, _ url: String = "https://x.example/a.pkpass",
        _ evidence: Evidence = .fileExtension
    ) -> LinkRow {
        LinkRow(text: text, links: [Link(url: url, evidence: evidence)])
    }

    private static func link(_ url: String, _ evidence: Evidence = .fileExtension) -> LinkRow {
        one("Get it: \(url)\nBye.", url, evidence)
    }

    private static func none(_ text: String) -> LinkRow { LinkRow(text: text, links: []) }

    static let plain =
        extensions + hosts + wrappers + endings + lookalikes + contexts + labels + references
        + notes

    /// What the text before a URL says of it.
    private static let contexts: [LinkRow] = [
        one("Add to Apple Wallet:\nhttps://x.example/w/1", "https://x.example/w/1", .label),
        one("[Add to Apple Wallet](https://x.example/w/1)", "https://x.example/w/1", .label),
        one(
            "[![Add to Apple Wallet](https://x.example/i.png)](https://x.example/w/1)",
            "https://x.example/w/1", .label),
        one("my a.pkpass\n<https://x.example/d/1>", "https://x.example/d/1", .label),
        one(
            "was scrubbed...\nName: a.pkpass\nType: x/y\nURL: <https://x.example/a.bin>",
            "https://x.example/a.bin"),
        one(
            "Dateiname   : nicht\nDateityp    : application/vnd.apple.pkpass\n"
                + "URL         : <https://x.example/a.bin>", "https://x.example/a.bin", .mediaType),
        one("https://x.exam\u{AD}ple/a.\u{200B}pkpass"),
        none("Name: a.pkpass\n\nURL: <https://x.example/a.bin>"),
        none("Read how to add tickets to Apple Wallet: https://x.example/blog"),
        none("You can add tickets to Apple Wallet now. Read more: https://x.example/blog"),
    ]

    /// A text with one link that its label shows.
    private static func labelled(_ text: String, _ evidence: Evidence = .label) -> LinkRow {
        one(text, "https://x.example/w/1", evidence)
    }

    /// Labels above a URL, after it, and in quoted mail.
    private static let labels: [LinkRow] = [
        labelled("Add to Apple Wallet:\n\nhttps://x.example/w/1"),
        labelled("Add to Apple Wallet\r\n\r\n\r\n<https://x.example/w/1>\r\n"),
        labelled("> Add to Apple Wallet:\n>\n> <https://x.example/w/1>\n"),
        labelled("[image: Add to Apple Wallet]\n<https://x.example/w/1>"),
        labelled("Add to Apple Wallet\nURL: https://x.example/w/1"),
        labelled("Hello!\n\nhttps://x.example/w/1\nAdd to Apple Wallet\n\nBye"),
        labelled("https://x.example/w/1\r\nAdd to Apple Wallet\r\n"),
        labelled("* <https://x.example/w/1> (Add to Apple Wallet)"),
        labelled(">> https://x.example/w/1\n>> Zu Apple Wallet hinzuf\u{FC}gen\n"),
        // RFC 3676: format=flowed.
        labelled("Add your ticket to Apple \nWallet: https://x.example/w/1"),
        labelled("> Add your ticket to Apple \n> Wallet:\n> https://x.example/w/1"),
        labelled("https://x.example/u\nUnsubscribe\n\nAdd to Apple Wallet\nhttps://x.example/w/1"),
        labelled("https://x.example/u\nAdd to Apple Wallet:\nhttps://x.example/w/1"),
        labelled("https://x.example/w/1\nAdd to Apple Wallet\n\nhttps://x.example/u\nUnsubscribe"),
        labelled("[Add to Apple Wallet](<https://x.example/w/1>)"),
        labelled(
            "[![Add to Apple Wallet](https://x.example/b.png)](<https://x.example/w/1> \"Add\")"),
        none("Add to Apple Wallet\n\n\n\n\nhttps://x.example/u"),
        none("You can add tickets to Apple Wallet.\n\nhttps://x.example/news"),
        none("Add to Apple Wallet:\n\nhttps://support.apple.com/wallet"),
        none("Your ticket.pkpass is attached\n\nhttps://x.example/"),
        none("News: https://x.example/news\nAdd to Apple Wallet"),
        none("https://x.example/news\nYou can now add tickets to Apple Wallet"),
    ]

    /// References to URLs that stand below (CommonMark 0.31, 6.3 and 4.7; Roundcube; Lynx).
    private static let references: [LinkRow] = [
        labelled("[Add to Apple Wallet][w]\n\n\(filler)\n[w]: https://x.example/w/1"),
        labelled("[Add to Apple Wallet] [Pass  One]\n\n[pass one]: <https://x.example/w/1> \"x\""),
        labelled(
            "[![Add to Apple Wallet](https://x.example/b.png)][w]\n\n> [w]: https://x.example/w/1"),
        labelled(
            "[![Add to Apple Wallet][b]][w]\n\n[b]: https://x.example/b\n[w]: https://x.example/w/1"
        ),
        labelled("[Add to Apple Wallet][]\n\n[Add to Apple Wallet]: https://x.example/w/1"),
        labelled("Add to Apple Wallet [1]\n\nLinks:\n------\n[1] https://x.example/w/1\n"),
        labelled(
            "[1]Add to Apple Wallet\n[2]Help\n\nReferences\n\n   1. https://x.example/w/1\n"
                + "   2. https://x.example/h\n"),
        none("[Unsubscribe][w] Add to Apple Wallet\n\n[w]: https://x.example/u"),
        none("[Add to Apple Wallet][w]\n\n[v]: https://x.example/u"),
        none("[w]: https://x.example/u\n\n1. https://x.example/1"),
    ]

    private static let filler = String(repeating: "One of many words.\n", count: 30)

    /// Mailman's notes in the languages of its catalogues (messages/*/mailman.po).
    private static let notes: [LinkRow] =
        [
            ("Name: ", "Type: ", "URL: "), ("Nom: ", "Type: ", "URL: "),
            ("Nombre     : ", "Tipo       : ", "Url        : "),
            ("Nazwa: ", "Typ: ", "Adres: "), ("Nimi: ", "Tüüp: ", "Link : "),
            ("Όνομα: ", "Τύπος: ", "Δικτυακός Τόπος: "), ("שם: ", "סוג: ", "קישור: "),
            ("اسم الملف: ", "نوعه: ", "الرابط : "), ("Nomo: ", "Speco: ", "Retadreso: "),
            ("Nomine: ", "Typo: ", "Adresse in Internet: "),
            ("ファイル名: ", "型:         ", "URL:        "),
        ].flatMap { name, type, url in
            ["", "> ", ">> "].map { quote in
                let lines = [
                    "...", "\(name)my ticket.pkpass", "\(type)application/octet-stream",
                    "x: 3435 bytes", "\(url)<https://x.example/a.bin>",
                ]
                return one(
                    lines.map { "\(quote)\($0)\n" }.joined(), "https://x.example/a.bin")
            }
        } + [
            none("> Name: a.pdf\n> Type: application/pdf\n> URL: <https://x.example/a.bin>"),
            none("> Name: a.pkpass\n>\n> URL: <https://x.example/a.bin>"),
        ]

    private static let extensions: [LinkRow] = [
        link("https://x.example/a.pkpass"), link("http://x.example/a.pkpasses"),
        link("HTTPS://X.EXAMPLE/A.PKPASS"), link("https://x.example:8443/t/a.pkpass"),
        link("https://user:secret@x.example/a.pkpass"), link("https://[::1]:80/a.pkpass"),
        link("https://x.example/a.pkpass?token=1&x=2"), link("https://x.example/a.pkpass#front"),
        link("https://x.example/a%2Epkpass"), link("https://x.example/my%20ticket.pkpass"),
        // Java servers put the session after the name (RFC 3986, 3.3).
        link("https://x.example/a.pkpass;jsessionid=0A1B?x=1"),
        link("https://x.example/get?file=ticket.pkpass"),
        link("https://x.example/get?id=1&filename=dir%2Fticket.pkpass&x=y"),
        link("https://x.example/get?ticket.pkpass"),
        link("https://x.example/get?disposition=attachment%3B%20filename%3D%22a.pkpass%22"),
        link("https://x.example/get?type=application%2Fvnd.apple.pkpass", .mediaType),
        link("https://x.example/fahrkarte-für-zwei.pkpass"),
        link("data:application/vnd.apple.pkpass,PK", .mediaType),
        link("DATA:Application/VND.Apple.PKPass;base64,UEsDBA==", .mediaType),
    ]

    private static let hosts: [LinkRow] = [
        "https://x.example/v1/passes/pass.com.example/0001",
        "https://x.example/api/wallet/v1/passes/pass.com.example/0001?x=1",
        "https://pub1.pskt.io/07We2PjflMlfqAwMwf5f1A", "https://pub2.pskt.io/c/ww0jir?data=ey",
        "https://r.pass.is/pAsSuNiqUeID", "https://d.pslot.io/cQY2f",
        "https://d.pslot.io/p/mWyScTFeRACDM7gYzZv48Q?t=giT786E",
        "https://app.passcreator.com/passinstance/show/customer/0001",
        "https://app.passcreator.com/en/passinstance/show/customer/0001",
        "https://i.installpass.es/p/838b8cf60dac2bfad9",
        "https://wallet-api.urbanairship.com/v1/pass/1273/download",
        "https://wallet-api.urbanairship.com/v1/pass/adaptive/VzT6NSiqzE",
        "https://wallet-api.asnapieu.com/v1/pass/adaptive?ids=7XRMaSpcEQk,Y0E6EXuTx5i",
        "https://app.addtowallet.co/card/68d060b9ae36ceb51a595104",
        "https://api.trybadge.com/l/abc?userId=1",
        "https://api.trybadge.com/download?id=2929766e&token=2SI0",
        "https://www.pass2u.net/d/abcdef123456?t=qr_code",
        "https://download.passentry.com/download?pass=d2ac8d95",
        "https://www.passsource.com/pass/create.php?hashedSerialNumber=eNort",
        "https://walletpass.io?u=https://x.example/pass/1",
        "https://passwallet.page.link/?apn=com.attidomobile.passwallet&link=https%3A%2F%2Fx.example",
    ].map { link($0, .host) }

    private static let wrappers: [LinkRow] = [
        link(
            "https://eur01.safelinks.example/?url=https%3A%2F%2Fx.example%2Fa.pkpass%3Fx%3D1&d=05%7C01"
        ),
        link("https://www.google.com/url?q=https://x.example/a.pkpass&sa=D"),
        link(
            "https://x.example/?u=https%3A%2F%2Fy.example%2F%3Fu%3Dhttps%253A%252F%252Fz%252Fa.pkpass"
        ),
        link("https://urldefense.com/v3/__https://x.example/a.pkpass__;!!abc!def$"),
        link("https://urldefense.proofpoint.com/v2/url?u=https-3A__x.example_a.pkpass&d=DwMF"),
        link("https://secure-web.cisco.com/1a-B/https%3A%2F%2Fx.example%2Fa.pkpass%3Fx"),
        link("https://abc.r.us-east-1.awstrack.me/L0/https:%2F%2Fx.example%2Fa.pkpass/1/0100"),
        link("https://x.example/r?u=https%3A%2F%2Fd.pslot.io%2FcQY2f", .host),
        // Base64: a URL, and JSON in JSON.
        link("https://eu.sophos.example/?d=x.example&u=aHR0cHM6Ly94LmV4YW1wbGUvYS5wa3Bhc3M=&i=1"),
        link("https://mandrill.example/track/click/1/x.example?p=" + mandrill),
    ]

    private static let mandrill =
        "eyJzIjogImsiLCAidiI6IDEsICJwIjogIntcInVcIjogMSwgXCJ2XCI6IDEsIFwidXJsXC"
        + "I6IFwiaHR0cHM6XFwvXFwveC5leGFtcGxlXFwvYS5wa3Bhc3NcIiwgXCJpZFwiOiBcIjBc"
        + "In0ifQ"

    private static let endings: [LinkRow] = [
        one("https://x.example/a.pkpass"), one("See https://x.example/a.pkpass."),
        one("See https://x.example/a.pkpass, or ask!"), one("(see https://x.example/a.pkpass)."),
        one("(https://x.example/a.pkpass)and"), one("[ticket](https://x.example/a.pkpass)"),
        one("[https://x.example/a.pkpass]: here"), one("'https://x.example/a.pkpass'?"),
        one("\"https://x.example/a.pkpass\""), one("`https://x.example/a.pkpass`"),
        one("*https://x.example/a.pkpass*"), one("_https://x.example/a.pkpass_"),
        one("see:https://x.example/a.pkpass;"), one("Seehttps://x.example/a.pkpass"),
        one("\u{201C}https://x.example/a.pkpass\u{201D}"), one("«https://x.example/a.pkpass»"),
        one("https://x.example/a.pkpass\u{A0}here"),
        one("\u{3010}https://x.example/a.pkpass\u{3011}"),
        one("\u{FF08}https://x.example/a.pkpass\u{FF09}"),
        one("https://x.example/a.pkpass\u{2026}"),
        one("https://x.example/a(1).pkpass", "https://x.example/a(1).pkpass"),
        one("(https://x.example/(1)/a.pkpass)", "https://x.example/(1)/a.pkpass"),
        one("<https://x.example/a.pkpass>"), one("<URL:https://x.example/a.pkpass>"),
        one("<https://x.exa\nmple/a.pk\r\n  pass>"), one("<\"https://x.example/a.pkpass\">"),
        // A bracket without its closing bracket does not enclose a URL.
        one("<https://x.example/a.pkpass\n\nhere"), one("<https://x.example/a.pkpass is it"),
        one(#"{"url":"https:\/\/x.example\/a.pkpass"}"#), one(#"https://x.example/a.pkpass\n"#),
        one("> https://x.example/a.pkpass"), one("http://no https://x.example/a.pkpass"),
        one("http:// https://x.example/a.pkpass"), one("<http://no <https://x.example/a.pkpass>"),
    ]

    private static let lookalikes: [LinkRow] = [
        "https://x.example/a.pkpass.html", "https://x.example/a.pkpass2",
        "https://x.example/pkpass",
        "https://x.example/.pkpass", "https://a.pkpass", "https://a.pkpass/", "x.example/a.pkpass",
        "Open a.pkpass, or send application/vnd.apple.pkpass.", "ftp://x.example/a.pkpass",
        "file:///a.pkpass", "//x.example/a.pkpass", "https://x.example/a.pkpass/about",
        "https://x.example/search?q=open+a.pkpass", "https://x.example/?utm_content=a.pkpass",
        "https://x.example/#a.pkpass", "https://www.apple.com/wallet/",
        "https://support.apple.com/wallet?type=pkpass", "http://", "https://", "https:///a.pkpass",
        "https://pskt.io/07We2PjflMlfqAwMwf5f1A", "https://pub1.pskt.io/",
        "https://pub1.pskt.io/07We2PjflMlfqAwMwf5f1A.gpay", "https://www.passslot.com/",
        "https://d.pslot.io/", "https://app.passcreator.com/en/login",
        "https://app.passcreator.com/en/passinstance/googlepaypass?noBundling=0",
        "https://wallet-api.urbanairship.com/v1/pass/1273", "https://download.passentry.com/",
        "https://app.addtowallet.co/", "https://docs.trybadge.com/docs", "https://walletpass.io/",
        "https://x.example/v1/passes/com.example/0001",
        "https://x.example/v1/passes/pass.com.example",
        "https://x.example/v1/passes/pass.com.example/", "data:text/plain,a.pkpass",
        "metadata:application/vnd.apple.pkpass,x", "data:application/vnd.apple.pkpass",
        "data:image/png;base64,iVBORw0KGgo=", "mailto:a@x.example?subject=a.pkpass",
        "<a href=\"//x.example/a.pkpass\">", "https://x.example/a.pkpass__;!!abc$",
    ].map(none)

    static let html: [LinkRow] =
        [
            one("<a href=\"https://x.example/a.pkpass\">Add</a>"),
            one("<A HREF='https://x.example/a.pkpass'>"),
            one("<a href=https://x.example/a.pkpass>"),
            one("<a href = \" https://x.example/a.pkpass\n\">"),
            one("<a href=\"https://x.example/\n\ta.pk\r\npass\">"),
            one(
                "<a href=\"https://x.example/my ticket.pkpass\">",
                "https://x.example/my%20ticket.pkpass"),
            one(
                "<a href=\"https://x.example/a.pkpass?a=1&amp;b=2\">",
                "https://x.example/a.pkpass?a=1&b=2"),
            one(
                "<a href=\"https://x.example/a.pkpass?a=1&b=2&lt=3\">",
                "https://x.example/a.pkpass?a=1&b=2&lt=3"),
            one("<a href=\"https&#58;&#x2F;&#x2f;x.example&sol;a&period;pkpass\">"),
            one("<a href=\"https://x.example/f&uuml;r.pkpass\">", "https://x.example/für.pkpass"),
            one("<a href=\"//x.example/a.pkpass\">", "//x.example/a.pkpass"),
            one("<a href=//x.example/a.pkpass>", "//x.example/a.pkpass"),
            one("<p>https://x.example/a.pkpass</p>"), one("<p>(https://x.example/a.pkpass)</p>"),
            one("<p>&lt;https://x.example/a.pkpass&gt;</p>"),
            one("https://x.example/a.pkpass&nbsp;is"),
            one("&ldquo;https://x.example/a.pkpass&rdquo;"),
            one("https://x.example/a.pkpass&#13;&#10;"),
            one("<a onclick=\"location='https://x.example/a.pkpass'\">"),
            one("<a onclick=\"open(&quot;https://x.example/a.pkpass&quot;)\">"),
            one("<td style=\"background:url(https://x.example/a.pkpass)\">"),
            one("<meta content=\"0; url=https://x.example/a.pkpass\">"),
            one("<!--[if mso]><v:rect href=\"https://x.example/a.pkpass\"><![endif]-->"),
            one("<!-- \" --><a href=\"https://x.example/a.pkpass\">"),
            one("<script>{\"u\":\"https:\\/\\/x.example\\/a.pkpass\"}</script>"),
            one("<a href=\"https://x.example/a.pkpass"),
            one("<a href=\"https://x.example/a.pkpass class=x>"),
            one(
                "<a href=\"data:application/vnd.apple.pkpass;base64,UEsD\n BA==\">",
                "data:application/vnd.apple.pkpass;base64,UEsDBA==", .mediaType),
            one(
                "<a href='\n  data:application/\r\n\tvnd.apple.pkpass;\n  base64,\n  UEsD\n  BA=='>",
                "data:application/vnd.apple.pkpass;base64,UEsDBA==", .mediaType),
            none("<a href=\"/a.pkpass\">a.pkpass</a>"), none("<p>//x.example/a.pkpass</p>"),
            // What Google Drive and OneDrive write.
            one(
                "<a title=\"a.pkpass\" href=\"https://x.example/a.html\">",
                "https://x.example/a.html",
                .label),
            one(
                "<a href='https://x.example/d/1'><img src=i.png> <b>my a.pkpass</b></a>",
                "https://x.example/d/1", .label),
            one(
                "<a href='https://x.example/w'><img alt='Add to Apple Wallet'></a>",
                "https://x.example/w", .label),
            one(
                "<a href='https://x.example/w'><img src='i/DE_Add_to_Apple_Wallet.png?x'></a>",
                "https://x.example/w", .label),
            one(
                "<a href='https://x.example/w' aria-label='Ajouter \u{E0} Apple\u{A0}Wallet'></a>",
                "https://x.example/w", .label),
            one(
                "<a href='https://x.example/w'>Zu Apple\n Wallet hinzuf&uuml;gen</a>",
                "https://x.example/w", .label),
            one(
                "<a href='https://x.example/w'>Apple\u{30A6}\u{30A9}\u{30EC}\u{30C3}\u{30C8}"
                    + "\u{306B}\u{8FFD}\u{52A0}</a>", "https://x.example/w", .label),
            one(
                "<base href='https://x.example/t/'><a href=a.pkpass>x</a>",
                "https://x.example/t/a.pkpass"),
            one(
                "<a href=a.pkpass>x</a><base href='https://x.example/t/'>",
                "https://x.example/t/a.pkpass"),
            one(
                "<form action='https://x.example/w'><button>Add to Apple Wallet</button></form>",
                "https://x.example/w", .label),
            none(
                "<form action='https://x.example/w' method=post>"
                    + "<button>Add to Apple Wallet</button></form>"),
            none(
                "<form action='https://x.example/w'></form><button>Add to Apple Wallet</button>"),
            one(
                "<v:roundrect href='https://x.example/w'><center>Add to Apple Wallet</center>"
                    + "</v:roundrect>", "https://x.example/w", .label),
            one("<p>https://x.example/<wbr>a.pk<WBR/>pass</p>"),
            one("<p>https://x.exam&shy;ple/a.&#8203;pkpass</p>"),
            none("<p>We support <a href='https://x.example/news'>Apple Wallet</a> now</p>"),
            none("<a href='https://x.example/q'>How do I add a ticket to Apple Wallet?</a>"),
            none("<a href='https://help.x.example/q'>Add to Apple Wallet</a>"),
            none("<a href='https://x.example/q'>Add to Google Wallet</a>"),
            // Apple Maps in French.
            none("<a href='https://x.example/q'>Ajouter \u{E0} Cartes d\u{2019}Apple</a>"),
            none("<a href='https://x.example/q'>Wie kann ich Apple Wallet hinzuf\u{FC}gen</a>"),
            none("<a href='https://x.example/q'>Apple Wallet: additional terms</a>"),
            none("<a href='https://x.example/q'>News</a> Add to Apple Wallet"),
            none(
                "<a href='https://x.example/q'>" + String(repeating: "News. ", count: 40)
                    + "Add to Apple Wallet</a>"),
            none(
                "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" "
                    + "\"http://www.w3.org/TR/html4/\">"
            ),
        ].map { LinkRow(text: $0.text, isHTML: true, links: $0.links) } + badges

    /// `add_to_apple_wallet` in Shopify's theme Dawn, and labels of the badge in public
    /// repositories.
    private static let badges: [LinkRow] = [
        "Добавяне към Apple Wallet", "Přidat do Apple Peněženky", "Føj til Apple Wallet",
        "Zu Apple Wallet hinzufügen", "Προσθήκη στο Apple Wallet", "Add to Apple Wallet",
        "Agregar a Apple Wallet", "Lisää Apple Walletiin", "Ajouter à Apple Wallet",
        "Dodaj u Apple Wallet", "Hozzáadás az Apple Wallethoz", "Tambahkan ke Dompet Apple",
        "Aggiungi a Apple Wallet", "Apple Walletに追加する", "Apple Wallet에 추가",
        "Pridėti prie „Apple Wallet“", "Legg til i Apple Wallet", "Aan Apple Wallet toevoegen",
        "Dodaj do Apple Wallet", "Adicionar ao app Wallet da Apple", "Adicionar a Apple Wallet",
        "Adăugați la Apple Wallet", "Добавить в Apple Wallet", "Pridať do aplikácie Apple Wallet",
        "Dodaj v Apple Wallet", "Lägg till i Apple Wallet", "เพิ่มลงใน Apple Wallet",
        "Apple Wallet'a ekle", "Thêm vào Apple Wallet", "添加到 Apple Wallet", "加入 Apple 錢包",
        "הוסף לארנק Apple", "إضافة إلى Apple Wallet", "Apple Wallet में जोड़ें",
        "Додати до Apple Wallet", "Añadir a Cartera de Apple", "Adicionar à Carteira da Apple",
        "Lisa Apple Walletisse", "Ajouter au portefeuille Apple", "Apple Cüzdan'a ekle",
        "Legg til i Apple Lommebok", "Appleウォレットに追加", "Apple 지갑에 추가",
        "Ajouter à Cartes Apple", "Přidat do Peněženky Apple", "Pridať do Peňaženky Apple",
        "Lisää Apple Lompakkoon", "Dodaj u Apple Novčanik", "Προσθήκη στο Πορτοφόλι Apple",
        "Додати в Apple Гаманець", "Додати до Apple Гаманця", "הוסף לארנק של Apple",
        "Aggiungi a Wallet",
    ].map { text in
        LinkRow(
            text: "<a href='https://x.example/w'>\(text)</a>", isHTML: true,
            links: [Link(url: "https://x.example/w", evidence: .label)])
    }

    /// The properties of iCalendar and vCard.
    static let calendar: [LinkRow] = [
        labelled(
            "ATTACH;X-A=\"b; c: d\";FMTTYPE=\"APPLICATION/vnd.apple.pkpass\";SIZE=1:{W}", .mediaType
        ),
        labelled("attach;value=URI;filename=my ticket.pkpass;managed-id=1:{W}", .fileExtension),
        labelled("CONFERENCE;VALUE=URI;LABEL=\"Add to Apple Wallet\":{W}"),
        one("URL;VALUE=URI:https://x.example/a.pkpass"),
        labelled(
            "X-ALT-DESC;FMTTYPE=text/html:<p>Hello\\, you</p>\\n"
                + "<a href=\"{W}\">Add to Apple Wallet</a>"
        ),
        labelled(
            "DESCRIPTION:<b>Ticket</b>\\n<a href='{W}'><img alt='Add to Apple Wallet'></a>\\n"),
        one(
            "X-ALT-DESC;FMTTYPE=text/html:"
                + "<a href=\"https://x.example/a.pkpass?a=1&amp\\;b=2\">x</a>",
            "https://x.example/a.pkpass?a=1&b=2"),
        labelled("SUMMARY:<a href=\"unclosed\nDESCRIPTION:<a href=\"{W}\">Add to Apple Wallet</a>"),
        labelled("DESCRIPTION:Ticket\\n\\nAdd to Apple Wallet:\\n\\n{W}\\nBye"),
        labelled(
            "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Add to Apple Wallet:=0D=0A=\n"
                + "https://x.ex=\nample/w/1=0D=0ABye"
        ),
        labelled(
            "NOTE;CHARSET=UTF-8;encoding=quoted-printable:Zu Apple Wallet hinzuf=C3=BCgen: {W}"),
        none("X-ALT-DESC;FMTTYPE=text/html:<a href=\"{W}\">News</a> Add to Apple Wallet"),
        none("ATTACH;FMTTYPE=application/pdf:{W}"),
    ].flatMap { row in
        let text = row.text.replacing("{W}", with: "https://x.example/w/1")
        let folded = text.split(separator: "\n").map { line in
            line.map(String.init).joined(separator: "\n ")
        }
        let isEncoded = text.lowercased().contains("quoted-printable")
        return [text, isEncoded ? text : folded.joined(separator: "\n")].flatMap { text in
            [text, text.replacing("\n", with: "\r\n")].map {
                LinkRow(text: $0, isCalendar: true, links: row.links)
            }
        }
    }
}
