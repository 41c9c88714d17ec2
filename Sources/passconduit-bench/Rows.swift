/// The table of works, references and targets.
///
/// To add a row, add a line here; to add a program, add a function to `Works`.
extension Works {
    func rows(_ sizes: Sizes) -> [Row] {
        let mbox = Piece.mbox(megabytes: sizes.megabytes)
        let small = Piece.mbox(megabytes: min(64, sizes.megabytes))
        let maildir = Piece.maildir(messages: sizes.messages)
        let export = Piece.export(messages: sizes.exported)
        let shortExport = Piece.export(messages: max(1, sizes.exported / 10))
        let passes = Piece.passes(sizes.passes)
        let library = Piece.library(passes: sizes.libraryPasses)
        var rows = [
            Row(scan(mbox, jobs: 1), against: ripgrep(mbox, "-c", "^From "), .ratio(1)),
            Row(scan(mbox, jobs: 1), against: reading("lines", mbox), .ratio(1.5)),
            Row(scan(mbox, jobs: 1), against: reading("read", mbox)),
            Row(scan(mbox, jobs: 2), against: scan(mbox, jobs: 1), .ratio(0.55)),
            Row(scan(mbox, jobs: 1), against: gmime(mbox), .ratio(1)),
            Row(scan(mbox, jobs: 1), against: scan(small, jobs: 1), .ratioPerByte(1.1)),
            Row(scan(.message(megabytes: sizes.messageMegabytes), jobs: 1)),

            Row(scan(export, jobs: 1), against: reading("lines", export)),
            Row(scan(export, jobs: 1), against: scan(shortExport, jobs: 1), .ratioPerByte(1.1)),

            Row(scan(maildir, jobs: 1), against: reading("folder", maildir), .ratio(1.5)),
            Row(
                scan(maildir, jobs: 2),
                against: ripgrep(maildir, "-l", "-i", "pkpass", "-j2", "--no-ignore"), .ratio(1)),

            Row(deliver(.letter), against: reading("read", .letter), .ratio(2.2)),
            Row(deliver(.letter), against: munpack(.letter), .ratio(1)),
            Row(deliver(.letter), against: ripmime(.letter), .ratio(1)),
            Row(deliver(.letterWithPass), against: verify(.pass), .ratio(1.5)),

            Row(scan(passes, jobs: 1), against: bareVerification(passes), .ratio(1.5)),
            Row(importing(passes, jobs: 1), against: scan(passes, jobs: 1), .ratio(2)),

            Row(list(library), against: listQuery(library), .ratio(2)),
            Row(search(library), against: searchQuery(library), .ratio(2)),
            Row(show(library), against: showQuery(library), .ratio(2)),

            Row(importing(maildir, jobs: 1, again: true), against: find(maildir), .ratio(3)),
            Row(importing(mbox, jobs: 1, again: true), .seconds(0.02)),

            Row(view(.pass), against: demonstration(.pass), .ratio(1.5)),
            Row(view(.pass), .seconds(0.3)),
            Row(viewLibrary(.library(passes: 10_000)), against: demonstration(.pass), .ratio(1.5)),
            Row(scroll(.library(passes: 10_000)), against: list(of: 10_000), .ratio(1.5)),
        ]
        rows += fetches(sizes, mbox)
        rows += signing(sizes)
        // The target is 5,000 pushes a second.
        rows.append(
            Row(
                push(sizes.pushes), against: h2load(sizes.pushes),
                .seconds(Double(sizes.pushes) / 5000)))
        if sizes.large {
            let large = Piece.mbox(megabytes: 8000)
            rows += [
                Row(scan(large, jobs: 1), against: scan(mbox, jobs: 1), .ratioPerByte(1.1)),
                Row(scan(large, jobs: 2), against: scan(large, jobs: 1), .ratio(0.55)),
            ]
        }
        return rows
    }

    /// 1.25 times the time is 0.8 times the throughput.
    private func fetches(_ sizes: Sizes, _ mbox: Piece) -> [Row] {
        let body = Piece.body(megabytes: sizes.bodyMegabytes)
        let part = Piece.body(megabytes: max(1, sizes.bodyMegabytes / 8))
        let (few, many) = (Piece.passes(1), Piece.passes(sizes.fetches))
        return Site.Scheme.allCases.map { scheme in
            Row(fetch(body, over: scheme), against: curl(body, over: scheme), .ratio(1.25))
        } + [
            Row(
                fetch(part, over: .https, copies: 8), against: curl(part, over: .https, copies: 8),
                .ratio(1.25)),
            Row(fetch(many, over: .http), against: curl(many, over: .http)),
            Row(fetch(many, over: .https), against: curl(many, over: .https)),
            Row(fetch(few, over: .https), against: curl(few, over: .https)),
            Row(
                scanURL(mbox, over: .https), against: curlAndScan(mbox, over: .https),
                .ratio(1.25)),
        ]
    }

    /// The targets are those of a core on which libcrypto makes 3,500 signatures a second with RSA
    /// of 2,048 bits: 2,800 passes a second, and 1.9 times that on two cores.
    private func signing(_ sizes: Sizes) -> [Row] {
        let template = Piece.template(passes: sizes.signatures)
        let few = Piece.template(passes: max(1, sizes.signatures / 20))
        let raw = sign(template, .raw, jobs: 1)
        return [
            Row(raw, .seconds(Double(sizes.signatures) / 2800)),
            Row(sign(template, .raw, jobs: 2), against: raw, .ratio(1 / 1.9)),
            Row(raw, against: signInPython(template, with: .cryptography), .ratio(0.45)),
            Row(raw, against: signInPython(few, with: .openssl), .ratioPerPass(0.06)),
            Row(sign(template, .verified, jobs: 1), against: raw),
            Row(sign(template, .verified, jobs: 2), against: sign(template, .raw, jobs: 2)),
            Row(sign(template, .written, jobs: 1), against: raw),
            Row(sign(template, .written, jobs: 2), against: sign(template, .raw, jobs: 2)),
        ]
    }

    /// Counted with valgrind: the result is the same in every run, whatever the load.
    var counts: [Count] {
        let mbox = (Piece.mbox(megabytes: 4), Piece.mbox(megabytes: 24))
        let maildir = (Piece.maildir(messages: 100), Piece.maildir(messages: 600))
        let passes = (Piece.passes(50), Piece.passes(200))
        let templates = (Piece.template(passes: 10), Piece.template(passes: 50))
        return [
            Count(.instructions, scan(mbox.0, jobs: 1), scan(mbox.1, jobs: 1), per: .megabyte),
            Count(.instructions, scan(mbox.0, jobs: 1), scan(mbox.1, jobs: 1), per: .message),
            Count(.instructions, scan(maildir.0, jobs: 1), scan(maildir.1, jobs: 1), per: .message),
            Count(.instructions, scan(passes.0, jobs: 1), scan(passes.1, jobs: 1), per: .pass),
            Count(
                .instructions, importing(passes.0, jobs: 1), importing(passes.1, jobs: 1),
                per: .pass),
            Count(.instructions, nil, deliver(.letter), per: .message),
            Count(
                .instructions, sign(templates.0, .raw, jobs: 1), sign(templates.1, .raw, jobs: 1),
                per: .pass),
            Count(
                .instructions, sign(templates.0, .verified, jobs: 1),
                sign(templates.1, .verified, jobs: 1), per: .pass),
            Count(.allocations, scan(mbox.0, jobs: 1), scan(mbox.1, jobs: 1), per: .message),
            Count(.allocations, scan(maildir.0, jobs: 1), scan(maildir.1, jobs: 1), per: .message),
            Count(.allocations, scan(passes.0, jobs: 1), scan(passes.1, jobs: 1), per: .pass),
        ]
    }
}

/// The sizes of the pieces.
struct Sizes {
    var megabytes = 1000
    var messages = 20_000
    var exported = 1_000_000
    var passes = 20_000
    var libraryPasses = 100_000
    var messageMegabytes = 300
    var bodyMegabytes = 1000
    var fetches = 2000
    var signatures = 5000
    var pushes = 50_000
    var large = false
}
