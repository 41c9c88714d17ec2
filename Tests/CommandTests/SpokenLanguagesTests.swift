import Foundation
import Loopback
import PassFixtures
import Testing

/// `make catalogues` puts the catalogues where the programs in .build look for them.
let catalogues = Program.folder.deletingLastPathComponent().appendingPathComponent("share/locale")

@Suite(
    "The program speaks Korean, Portuguese and Russian; records and English output stay the same",
    .enabled(
        if: FileManager.default.fileExists(atPath: catalogues.appendingPathComponent("ru").path),
        "the catalogues were not made (make catalogues)"))
final class SpokenLanguagesTests {
    private let home: Home
    private let samples = Program.package.appendingPathComponent("Samples")

    init() throws {
        home = try Home(named: "languages")
    }

    deinit { home.remove() }

    private func program(_ language: String) -> Program {
        Program(home: home, environment: ["LANG": "\(language).UTF-8"])
    }

    private func sample(_ name: String) -> String {
        samples.appendingPathComponent("passes/\(name)").path
    }

    private var trust: [String] {
        ["--trust-root", samples.appendingPathComponent("authority/root.pem").path]
    }

    @Test(
        "show",
        arguments: [
            (
                "ko_KR", "쿠폰", "  만료됨  2024년 5월 31일 금요일",
                [
                    "판정         신뢰할 수 있음", "서명자       Pass Type ID: pass.example.fern",
                    "번호         1",
                ]
            ),
            (
                "pt_PT", "Cupão", "  Expirado  sexta-feira, 31 de maio de 2024",
                [
                    "Avaliação     de confiança", "Assinado por  Pass Type ID: pass.example.fern",
                    "Número        1",
                ]
            ),
            (
                "pt_BR", "Cupom", "  Expirado  sexta-feira, 31 de maio de 2024",
                [
                    "Avaliação     confiável", "Assinado por  Pass Type ID: pass.example.fern",
                    "Número        1",
                ]
            ),
            (
                "ru_RU", "Купон", "  Срок истёк  пятница, 31 мая 2024",
                [
                    "Проверка       подлинная", "Кем подписано  Pass Type ID: pass.example.fern",
                    "Номер          1",
                ]
            ),
        ])
    func show(language: String, style: String, validity: String, provenance: [String]) throws {
        let program = program(language)
        _ = try program.run(["import"] + trust + [sample("trusted/coupon-shop.pkpass")])
        let lines = try program.run(["show", "1"]).lines
        let name = "Fern & Fold, 20 % off at Fern & Fold"
        #expect(lines.first == "\(style)  \(name)")
        #expect(lines.contains { $0.hasPrefix(validity) }, "\(lines)")
        for line in provenance { #expect(lines.contains("  \(line)"), "\(lines)") }
        // The option overrides the locale.
        let english = try program.run(["show", "1", "--language", "en"]).lines
        #expect(english.first == "Coupon  \(name)")
        #expect(english.contains("  Verdict    trusted"))
    }

    @Test(
        "open, and why a file cannot be added",
        arguments: [
            (
                "ko_KR", "passconduit: there.pkpass: 그런 파일이나 폴더가 없습니다\n",
                ["판정      변조됨: 서명자가 서명한 내용이 아닙니다", "이유      pass.json이(가) 매니페스트의 해시와 다릅니다"]
            ),
            (
                "pt_PT", "passconduit: there.pkpass: não existe tal ficheiro ou pasta\n",
                [
                    "Avaliação  adulterado: não é o que foi assinado",
                    "Motivo     pass.json não corresponde ao seu hash no manifesto",
                ]
            ),
            (
                "pt_BR", "passconduit: there.pkpass: arquivo ou pasta inexistente\n",
                [
                    "Avaliação  adulterado: não é o que foi assinado",
                    "Motivo     pass.json não corresponde ao seu hash no manifesto",
                ]
            ),
            (
                "ru_RU", "passconduit: there.pkpass: нет такого файла или папки\n",
                [
                    "Проверка   изменена: не та, что была подписана",
                    "Причина    pass.json не совпадает со своим хешем в манифесте",
                ]
            ),
        ])
    func open(language: String, problem: String, facts: [String]) throws {
        let result = try program(language).run(
            ["open", "there.pkpass", sample("tampered/file-changed.pkpass")])
        #expect(result.errors == problem)
        for line in facts { #expect(result.lines.contains("  \(line)"), "\(result.output)") }
    }

    @Test(
        "answers in the user's language are accepted",
        arguments: [
            ("ko_KR", "예", "추가됨"), ("pt_PT", "s", "adicionado"), ("pt_BR", "sim", "adicionado"),
            ("ru_RU", "Да", "добавлена"), ("ru_RU", "y", "добавлена"),
        ])
    func answer(language: String, typed: String, told: String) throws {
        let result = try program(language).onTerminal(
            ["open"] + trust + [sample("trusted/coupon-shop.pkpass")], typing: "\(typed)\n",
            columns: 100)
        #expect(result.status == 0)
        let lines = result.output.split(whereSeparator: \.isNewline)
        let outcome = lines.first { $0.hasSuffix(" Fern & Fold, 20 % off at Fern & Fold") }
        #expect(outcome?.hasPrefix("\(told) ") == true, "\(result.output)")
    }

    @Test(
        "the summary of an import uses the right plural form for each number",
        arguments: [
            ("ko_KR", 2, "패스 2개 (신뢰할 수 있음 2개) - 출처 2곳, "),
            ("pt_PT", 1, "1 passe (1 de confiança) em 1 origem, "),
            ("pt_BR", 2, "2 passes (2 confiáveis) em 2 origens, "),
            ("ru_RU", 1, "1 карта (1 подлинная) — 1 источник, "),
            ("ru_RU", 2, "2 карты (2 подлинные) — 2 источника, "),
            ("ru_RU", 5, "5 карт (5 подлинных) — 5 источников, "),
        ])
    func summary(language: String, count: Int, start: String) throws {
        let names = [
            "coupon-shop", "boarding-pass-train", "event-ticket-cinema", "generic-gym",
            "generic-tram-small",
        ]
        let chosen = names.prefix(count).map { sample("trusted/\($0).pkpass") }
        let result = try program(language).onTerminal(
            ["import"] + trust + chosen, typing: "", columns: 200)
        let output = result.output.replacing("\u{1B}[32m\u{2713}\u{1B}[0m\u{A0}", with: "")
        #expect(output.contains(": \(start)"), "\(output)")
    }

    @Test(
        "a notification of a change is in the user's language, around the issuer's words",
        arguments: [
            ("ko_KR", "패스 변경됨"), ("pt_PT", "O passe mudou"), ("pt_BR", "O passe mudou"),
            ("ru_RU", "Карта изменилась"),
        ])
    func notification(language: String, title: String) async throws {
        let holder = try PassHolder("notification-\(language)")
        let notifications = Notifications(holder.home)
        try notifications.addStandIn()
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let newer = PassHolder.recipe("1", from: server.url(), gate: "7", hours: 1)
            server.serve(type: PassMaker.type, serial: "1", .pass(try holder.maker.make(newer)))
            var program = holder.program
            program.environment["PATH"] = "\(holder.home.path("programs")):\(Program.searchPath)"
            program.environment["LANG"] = "\(language).UTF-8"
            let result = try program.run(
                ["update", "--notify", "--trust-root", holder.maker.authority]
                    + PassHolder.onLoopback)
            #expect(result.status == 0, "\(result.errors)")
            let words = try notifications.shown(1).first ?? []
            #expect(
                words.suffix(2) == [title, "Example Railways, Ticket: Gate changed to 7"],
                "\(words)")
        }
    }

    @Test(
        "output for programs is the same in every language",
        arguments: ["ko_KR", "pt_PT", "pt_BR", "ru_RU"])
    func records(language: String) throws {
        let read = [
            "scan", "--json", "--jobs", "1", "--links", "missing.pkpass", sample(""),
        ]
        let expected = try Self.withoutTimes(program("C").run(read).output)
        #expect(expected.count > 60)
        #expect(try Self.withoutTimes(program(language).run(read).output) == expected)
        let brief = ["import", "--brief"] + trust + [sample("trusted/coupon-shop.pkpass")]
        #expect(
            try program(language).run(brief).output
                == "added pass.example.fern/FERN-SPRING-7 trusted\n")
    }

    private static func withoutTimes(_ records: String) -> [String] {
        records.split(separator: "\n").map(String.init).filter { !$0.contains(#""summary""#) }
    }

    @Test(
        "every detail in the samples' records is translated", arguments: ["ko_KR", "ru_RU"])
    func details(language: String) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: samples.path)
            .filter { $0.hasSuffix(".pkpass") }.map { samples.appendingPathComponent($0).path }
        let records = try program("C").run(["verify", "--json"] + files).records
        var details: Set<String> = []
        for record in records {
            for list in ["reasons", "notes", "checks"] {
                let findings = record[list] as? [[String: Any]] ?? []
                details.formUnion(findings.compactMap { $0["detail"] as? String })
            }
        }
        #expect(details.count > 60)
        let told = try program(language).run(["verify"] + files).output
        for detail in details { #expect(!told.contains(detail), "\(detail)") }
    }

    @Test(
        "the output in English, and without a language, stays as scripts expect it",
        arguments: [
            ["LANG": "C"], ["LANG": "C.UTF-8"], ["LANG": "en_US.UTF-8"], ["LANG": "POSIX"],
            ["LANG": "C", "LANGUAGE": "ru"], ["LANG": "", "LC_ALL": ""], ["LANG": "en_GB.UTF-8"],
            ["LANG": "ru_RU.UTF-8", "LC_ALL": "C"], ["LANG": "en_US.UTF-8", "LANGUAGE": "en:ru"],
        ])
    func english(variables: [String: String]) throws {
        let program = Program(home: home, environment: variables)
        let path = sample("trusted/coupon-shop.pkpass")
        let result = try program.run(["import"] + trust + [path])
        #expect(
            result.output == """
                added      trusted    Coupon         Fern & Fold, 20 % off at Fern & Fold  \
                pass.example.fern/FERN-SPRING-7  \(path)

                """)
        let open = try program.run(["open", sample("tampered/file-changed.pkpass")])
        #expect(open.lines.contains("  Verdict   tampered: changed after it was signed"))
        let missing = try program.run(["scan", "there.pkpass"])
        #expect(
            missing.errors.hasPrefix("passconduit: there.pkpass: no such file or directory\n"))
    }
}
