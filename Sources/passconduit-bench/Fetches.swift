import Fetching
import Foundation

/// Fetching from the test server.
extension Works {
    /// The number of simultaneous requests that passconduit sends to one host.
    private static let window = 4

    /// - Parameter copies: The number of simultaneous fetches, each into its own file.
    func fetch(_ piece: Piece, over scheme: Site.Scheme, copies: Int = 1) -> Work {
        var configuration = FetchConfiguration()
        configuration.authorities = Site.authority(in: corpus.folder)
        var terms = FetchTerms()
        terms.allowsHTTP = true
        terms.allowsPrivateAddresses = true
        terms.maximumSize = .max
        let names: [(sent: String, fetched: String)] =
            if case .passes(let count) = piece {
                (0..<count).map { number in
                    let name = Piece.pass(number)
                    return ("\(piece.name)/\(name)", name)
                }
            } else {
                (0..<copies).map { number in (piece.name, "\(number)") }
            }
        let requests = names.enumerated().map { index, name in
            FetchRequest(
                id: Int64(index), url: site.url(name.sent, over: scheme), file: name.fetched, terms)
        }
        return Work(
            name: "fetch \(piece.label(copies)), \(scheme.rawValue)",
            words: [programs.built("passconduit-fetch"), downloads], piece: piece,
            dialogue: Dialogue(
                configuration: configuration, requests: requests,
                window: max(copies, Works.window)),
            fetches: true, check: .downloaded(copies), memory: 40_000_000)
    }

    func curl(_ piece: Piece, over scheme: Site.Scheme, copies: Int = 1) -> Work {
        var words = ["curl", "-s", "-f"]
        if case .passes(let count) = piece {
            let range = "[\(Piece.number(0))-\(Piece.number(count - 1))]"
            let url = site.url("\(piece.name)/\(range).pkpass", over: scheme)
            words += ["-Z", "--parallel-max", "\(Works.window)", url]
            words += ["-o", "\(downloads)/#1.pkpass"]
        } else {
            words += copies > 1 ? ["-Z", "--parallel-max", "\(copies)"] : []
            words += (0..<copies).flatMap { number in
                [site.url(piece.name, over: scheme), "-o", "\(downloads)/\(number)"]
            }
        }
        return Work(
            name: "curl", words: words, piece: piece, fetches: true, check: .downloaded(copies))
    }

    /// The time to fetch and scan.
    func scanURL(_ piece: Piece, over scheme: Site.Scheme) -> Work {
        var work = scan(piece, jobs: 1)
        work.words.removeLast()
        work.words += ["--allow-private", site.url(piece.name, over: scheme)]
        if scheme == .http { work.words.append("--allow-http") }
        work.name = "fetch, scan \(piece.label), \(scheme.rawValue)"
        work.fetches = true
        work.memory = 40_000_000
        return work
    }

    /// The same with curl and scan, joined by a pipe.
    func curlAndScan(_ piece: Piece, over scheme: Site.Scheme) -> Work {
        var work = scan(piece, jobs: 1)
        work.words[work.words.count - 1] = "-"
        let scan = work.words.map { "'\($0)'" }.joined(separator: " ")
        work.words = ["sh", "-c", "curl -s -f \(site.url(piece.name, over: scheme)) | \(scan)"]
        work.name = "curl | scan -"
        work.fetches = true
        work.memory = nil
        return work
    }

    private var downloads: String { Downloads(in: corpus).folder.path }
}

extension Piece {
    fileprivate func label(_ copies: Int) -> String { copies > 1 ? "\(copies) x \(label)" : label }
}
