import Foundation
import Testing

/// `make catalogues` puts the catalogues where the programs in .build look for them.
@Suite(
    "The program's own words on a pass are in the reader's language",
    .enabled(
        if: FileManager.default.fileExists(
            atPath: Program.folder.deletingLastPathComponent()
                .appendingPathComponent("share/locale/ru").path),
        "the catalogues were not made (make catalogues)"))
struct RenderedLanguagesTests {
    /// These locales need not be installed on the computer.
    @Test(
        "chosen by the locale or the option",
        arguments: [
            (["LANG": "ru_RU.UTF-8"], [], "Срок истёк"),
            (["LANG": "ko_KR.UTF-8"], [], "만료됨"),
            (["LANG": "pt_BR.UTF-8"], [], "Expirado"),
            (["LANG": "en_US.UTF-8"], [], "Expired"),
            (["LANG": "C.UTF-8"], [], "Expired"),
            // A language without a catalogue.
            (["LANG": "eo.UTF-8"], [], "Expired"),
            (["LANG": "ru_RU.UTF-8"], ["--language", "pt-PT"], "Expirado"),
            (["LANG": "ru_RU.UTF-8", "LC_ALL": "ko_KR.UTF-8"], [], "만료됨"),
            // The first of several languages with a catalogue is used. Languages after English are
            // ignored.
            (["LANG": "en_US.UTF-8", "LANGUAGE": "eo:ru:ko"], [], "Срок истёк"),
            (["LANG": "ru_RU.UTF-8", "LANGUAGE": "en:ko"], [], "Expired"),
            (["LANG": "ru_RU.UTF-8"], ["--language", "eo:ko"], "만료됨"),
        ] as [([String: String], [String], String)])
    func words(locale: [String: String], options: [String], expected: String) throws {
        let home = try Home()
        defer { home.remove() }
        var variables = ["LC_ALL": "", "LC_MESSAGES": "", "LANGUAGE": ""]
        variables.merge(locale) { $1 }
        let program = Program(home: home, environment: variables)
        let samples = Program.package.appendingPathComponent("Samples")
        let result = try program.run(
            [
                "render", samples.appendingPathComponent("passes/trusted/coupon-shop.pkpass").path,
                "--trust-root", samples.appendingPathComponent("authority/root.pem").path,
                "-o", "face.pdf",
            ] + options)
        #expect(result.status == 0, "\(result.errors)")
        let text = try program.shell("pdftotext -raw face.pdf -").output
        #expect(text.contains(expected), "\(text)")
    }
}
