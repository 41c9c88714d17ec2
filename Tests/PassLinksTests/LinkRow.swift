import Bytes
import PassDetection
import Testing

@testable import PassLinks

/// A text, and the links that must be found in it.
struct LinkRow: Sendable, CustomTestStringConvertible {
    let text: String
    var isHTML = false
    let links: [Link]

    var testDescription: String { text }

    /// Checks the row as a whole, and in chunks that end at every byte.
    func check() {
        #expect(found(text, isHTML: isHTML) == links)
        let bytes = Array(text.utf8)
        for place in 0...bytes.count {
            var finder = LinkFinder(isHTML: isHTML, types: .builtIn)
            finder.feed(bytes.span.extracting(0..<place))
            finder.feed(bytes.span.extracting(place..<bytes.count))
            finder.finish()
            guard finder.links != links else { continue }
            Issue.record("cut at \(place), it holds \(finder.links)")
            return
        }
        #expect(found(text, isHTML: isHTML, pieces: 1) == links, "byte by byte")
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

    static let plain = extensions + hosts + wrappers + endings + lookalikes

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
    ]

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

    static let html: [LinkRow] = [
        one("<a href=\"https://x.example/a.pkpass\">Add</a>"),
        one("<A HREF='https://x.example/a.pkpass'>"), one("<a href=https://x.example/a.pkpass>"),
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
        one("<p>&lt;https://x.example/a.pkpass&gt;</p>"), one("https://x.example/a.pkpass&nbsp;is"),
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
        none("<a href=\"/a.pkpass\">a.pkpass</a>"), none("<p>//x.example/a.pkpass</p>"),
        none("<a title=\"a.pkpass\" href=\"https://x.example/a.html\">"),
        none(
            "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/\">"),
    ].map { LinkRow(text: $0.text, isHTML: true, links: $0.links) }
}
