import Foundation
import Testing

@Suite(
    "With the recipes in desktop/mail, mail is delivered as before and its passes are imported",
    .enabled(if: MailHome.isPossible, "nobody cannot run the programs in the build folder"))
struct MailRecipesTests {
    private let field = Data("X-Passconduit: ".utf8)

    @Test(
        "with each of these programs",
        .enabled(if: MailAgent.missing.isEmpty, "not installed: \(MailAgent.missing)"))
    func installed() {
        #expect(MailAgent.installed.count == 5)
    }

    private func deliver(_ mail: Data, with agent: MailAgent, in home: MailHome) throws {
        let result = try agent.deliver(mail, in: home)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    /// The delivered messages without passconduit's fields, and these fields.
    private func delivered(in home: MailHome) throws -> (mails: [Data], fields: [String]) {
        var fields: [String] = []
        let mails = try home.delivered().map { mail in
            var rest = Data()
            for line in mail.split(separator: 10, omittingEmptySubsequences: false) {
                if line.starts(with: field) {
                    fields.append(String(decoding: line.dropFirst(field.count), as: UTF8.self))
                } else {
                    rest += line + [10]
                }
            }
            return rest.dropLast()
        }
        return (mails.sorted { $0.lexicographicallyPrecedes($1) }, fields.sorted())
    }

    @Test(
        "each message arrives byte for byte, and a trusted pass is imported once",
        arguments: MailAgent.installed, [false, true])
    func passes(agent: MailAgent, inOtherForm: Bool) throws {
        let home = try MailHome()
        try agent.prepare(home, inOtherForm: inOtherForm)
        let plain = try home.mail("plain")
        let tampered = try home.mail("tampered", attaching: "tampered.pkpass")
        let trusted = try home.mail("trusted", attaching: "trusted.pkpass")
        try deliver(plain, with: agent, in: home)
        try deliver(tampered, with: agent, in: home)
        #expect(try home.stored() == [])
        try deliver(trusted, with: agent, in: home)
        try deliver(trusted, with: agent, in: home)
        #expect(try home.stored() == ["pass.example.test/0001"])
        let (mails, fields) = try delivered(in: home)
        #expect(mails == [plain, tampered, trusted, trusted])
        let told = [
            "added pass.example.test/0001 trusted", "refused pass.example.test/0001 tampered",
            "unchanged pass.example.test/0001 trusted",
        ]
        #expect(fields == (inOtherForm ? told : []))
    }

    @Test(
        "if the library is not writable, mail is not delayed, and the pass is imported later",
        arguments: MailAgent.installed, [false, true])
    func noLibrary(agent: MailAgent, inOtherForm: Bool) throws {
        let home = try MailHome()
        try agent.prepare(home, inOtherForm: inOtherForm)
        let tampered = try home.mail("tampered", attaching: "tampered.pkpass")
        let trusted = try home.mail("trusted", attaching: "trusted.pkpass")
        try home.block(".local/share")
        try deliver(trusted, with: agent, in: home)
        #expect(try delivered(in: home).mails == [trusted])
        try home.unblock(".local/share")
        // This mail starts passconduit, which can write to the library again.
        try deliver(tampered, with: agent, in: home)
        #expect(try home.stored() == ["pass.example.test/0001"])
        #expect(try delivered(in: home).mails == [tampered, trusted])
    }

    @Test(
        "if the spool is not writable either, mail is still delivered",
        arguments: MailAgent.installed, [false, true])
    func noSpool(agent: MailAgent, inOtherForm: Bool) throws {
        let home = try MailHome()
        try agent.prepare(home, inOtherForm: inOtherForm)
        let trusted = try home.mail("trusted", attaching: "trusted.pkpass")
        try home.block(".local/share")
        try home.block(".local/state")
        try deliver(trusted, with: agent, in: home)
        #expect(try delivered(in: home).mails == [trusted])
    }

    @Test("if passconduit is missing, mail is still delivered", arguments: MailAgent.installed)
    func noProgram(agent: MailAgent) throws {
        let home = try MailHome.withoutPassconduit()
        try agent.prepare(home)
        // Longer than the capacity of a pipe without a reader.
        let line = Data("Hello, hello, hello.\n".utf8)
        let large = try home.mail("large") + Data(repeatElement(line, count: 10_000).joined())
        try deliver(large, with: agent, in: home)
        #expect(try delivered(in: home).mails == [large])
    }

    @Test(
        "the Sieve script continues, so that mail is filed as usual",
        .enabled(if: MailAgent.installed.contains(.dovecot), "not installed: dovecot"))
    func sieve() throws {
        let home = try MailHome()
        try MailAgent.dovecot.prepare(home)
        let recipe = try home.recipe("passconduit.sieve")
        try home.write(
            """
            require ["fileinto", "mailbox"];
            \(recipe)
            fileinto :create "Travel";

            """, to: "passconduit.sieve")
        try home.block(".local/share")
        try home.block(".local/state")
        let trusted = try home.mail("trusted", attaching: "trusted.pkpass")
        try deliver(trusted, with: .dovecot, in: home)
        #expect(try home.delivered(in: "Maildir/.Travel/new") == [trusted])
        #expect(try home.delivered() == [])
    }
}
