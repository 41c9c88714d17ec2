internal import Foundation
internal import Localization
internal import PassModel
internal import PassPresentation
internal import PassService
internal import PassVerification

/// The download page of a pass, in the language of the service.
struct PassPage {
    private let pass: Pass
    private let text: LocalizedPass
    private let displayLocale: DisplayLocale

    init(_ pass: Pass, _ displayLocale: DisplayLocale) {
        self.pass = pass
        self.displayLocale = displayLocale
        text = pass.localized(for: displayLocale.languages)
    }

    /// Returns a function that makes download pages in this language.
    static func maker(_ displayLocale: DisplayLocale) -> DownloadPage.Maker {
        let verifier = PassVerifier()
        return { subject in
            switch subject {
            case .pass(_, let file, let link):
                verifier.verify(file).pass.map { pass in
                    PassPage(pass, displayLocale.reading(at: .now)).page(link)
                }
            case .notFound:
                failure(
                    localized("There is no pass here"),
                    localized("The link is incomplete, or the pass was removed."), displayLocale)
            case .unavailable:
                failure(
                    localized("The pass cannot be downloaded at present"),
                    localized("Try again in a few minutes."), displayLocale)
            }
        }
    }

    private static func failure(
        _ title: String, _ advice: String, _ displayLocale: DisplayLocale
    ) -> DownloadPage {
        document(
            title, style: style(background: nil, foreground: nil), displayLocale,
            """
            <h1>\(title.inHTML)</h1>
            <p>\(advice.inHTML)</p>
            """)
    }

    func page(_ link: String) -> DownloadPage {
        let title = displayLocale.headline(pass)
        var facts = [paragraph(text.localizedDescription)]
        if pass.isVoided || pass.isExpired(at: displayLocale.now) {
            facts.append(paragraph(localized("No longer valid"), "warning"))
        }
        if let date = pass.relevantDate {
            let words = displayLocale.moment(date)
            facts.append(
                "<p><time datetime=\"\(date.formatted(.iso8601))\">\(words.inHTML)</time></p>")
        }
        return Self.document(
            title, style: style, displayLocale,
            """
            <h1>\(text.organizationName.inHTML)</h1>
            \(facts.joined(separator: "\n"))
            <p><a href="\(link.inHTML)">\(localized("Get the pass").inHTML)</a></p>
            """)
    }

    /// - Parameter main: The contents of the `main` element, as HTML.
    private static func document(
        _ title: String, style: String, _ displayLocale: DisplayLocale, _ main: String
    ) -> DownloadPage {
        let language = displayLocale.languages.first ?? "en"
        let html = """
            <!doctype html>
            <html lang="\(language.inHTML)" dir="auto">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title.inHTML)</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(main)
            </main>
            </body>
            </html>

            """
        return DownloadPage(html: html, style: style)
    }

    private func paragraph(_ text: String, _ kind: String? = nil) -> String {
        "<p\(kind.map { " class=\"\($0)\"" } ?? "")>\(text.inHTML)</p>"
    }

    private var style: String {
        Self.style(background: pass.backgroundColor, foreground: pass.foregroundColor)
    }

    private static func style(background ground: PassColor?, foreground: PassColor?) -> String {
        let ink = ground.map { ground in
            (foreground ?? ground.contrasting).readable(on: ground)
        }
        let card = ground.map { "background:\($0);" } ?? "border:1px solid;"
        let text = ink.map { "color:\($0);" } ?? ""
        let button = ink.map { "background:\($0);" } ?? "background:CanvasText;"
        let label =
            ground.map { "color:\($0.readable(on: ink ?? .white));" }
            ?? "color:Canvas;"
        return """
            :root{color-scheme:light dark}
            body{margin:0;font:1.125rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
            main{max-width:28rem;margin:2rem auto;padding:1.5rem;border-radius:1rem;\(card)\(text)\
            overflow-wrap:anywhere}
            @media(max-width:30rem){main{margin:1rem}}
            h1{margin:0;font-size:1.5rem;line-height:1.25}
            .warning{font-weight:bold}
            a{display:block;margin-top:2rem;padding:.875rem;border-radius:.75rem;font-weight:bold;\
            text-align:center;text-decoration:none;\(button)\(label)}
            a:focus-visible{outline:3px solid;outline-offset:3px}

            """
    }
}

extension String {
    /// The string escaped for text and quoted attributes in HTML.
    fileprivate var inHTML: String {
        var result = ""
        for scalar in escaped.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
