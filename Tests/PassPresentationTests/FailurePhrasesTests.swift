import Fetching
import Foundation
import Glibc
import PassDownloads
import PassImport
import PassModel
import PassVerification
import Platform
import Testing

@testable import PassPresentation
@testable import PassStore
@testable import PassUpdates

@Suite("Failures of fetching, downloads, updates and the library have a message")
struct FailurePhrasesTests {
    @Test("Foundation describes public errors by their sentences")
    func localizedErrors() {
        let errors: [any Error & Worded] = LibraryError.samples + PassTypePatternError.allCases
        for error in errors {
            #expect(error.localizedDescription == error.phrase.localized)
        }
        #expect(LibraryError.newerLibrary("/a").recoverySuggestion != nil)
        #expect(LibraryError.locked("/a").recoverySuggestion == nil)
        #expect(
            LibraryError.noSuchLibrary("/a").advisedPhrase.english
                == "there is no library at /a (`passconduit import` creates one)")
        #expect(
            LibraryError.noSuchPass("99").advisedPhrase.english
                == "there is no pass 99 in the library (`passconduit list` shows the numbers)")
    }

    @Test(
        "in English",
        arguments: [
            (FetchFailureReason.urlTooLong(limit: 16_384), "this URL is longer than 16384 bytes"),
            (.unknownScheme("ftp"), "only https: and http: are fetched, not ftp:"),
            (
                .forbiddenAddress(host: nil, address: "169.254.169.254", .linkLocal),
                "169.254.169.254 is a link-local address: not contacted without "
                    + "--allow-private"
            ),
            (
                .forbiddenAddress(host: "localhost", address: "127.0.0.1", .loopback),
                "localhost is 127.0.0.1, a loopback address: not contacted without "
                    + "--allow-private"
            ),
            (.refused(.proxy("127.0.0.1:1")), "the proxy 127.0.0.1:1 refuses the connection"),
            (
                .connectionFailed(.server("a.example"), EACCES),
                "a.example cannot be connected to: permission denied"
            ),
            (
                .stalled(host: "a.example", seconds: 0.5),
                "a.example sent nothing for 0.5 seconds"
            ),
            (
                .stalled(host: "a.example", seconds: 60),
                "a.example sent nothing for 60 seconds"
            ),
            (
                .tooSlow(host: "a.example", seconds: 1),
                "it took longer than 1 second to fetch from a.example"
            ),
            (
                .tooSlow(host: "a.example", seconds: 3600),
                "it took longer than 60 minutes to fetch from a.example"
            ),
            (
                .certificate(host: "a.example", .expired(HTTPDate(seconds: 1_714_521_600))),
                "the certificate of a.example expired on 2024-05-01"
            ),
            (
                .certificate(host: "a.example", .forOtherHosts(["b", "c", "d"], more: 2)),
                "the certificate of a.example is for b, c, d and 2 more"
            ),
            (
                .status(host: "a.example", code: 503),
                "a.example answered with 503: busy or under maintenance"
            ),
            (.status(host: "a.example", code: 599), "a.example answered with 599"),
            (
                .tooLarge(host: "a.example", size: 999_999_999_999_999_999, limit: 1 << 30),
                "a.example sends 953674316406.3 MiB, more than the limit of 1024 MiB"
            ),
            (
                .tooLarge(host: "a.example", size: nil, limit: 1000),
                "a.example sends more than the limit of 1000 bytes"
            ),
            (
                .redirectToUnfetchable(host: "a.example", .noHost),
                "a.example redirects to a URL that cannot be fetched: this URL names no host"
            ),
            (.file(FileError(.write, ENOSPC)), "cannot write: no space left on device"),
        ])
    func fetching(reason: FetchFailureReason, words: String) {
        #expect(reason.phrase.english == words)
    }

    @Test("a stored failure keeps its message, and an unknown one is reported as unknown")
    func downloads() {
        let stored = DownloadError(code: "status", text: "it is busy")
        #expect(stored.phrase.english == "it is busy")
        let known = DownloadError(FetchFailure(.noBody))
        #expect(known.phrase.english == "the server sent no body")
        let later = DownloadError(code: "later", failure: #"{"later":{}}"#)
        #expect(
            later.phrase.english == "an error unknown to this version (later)")
        #expect(
            FetchProblem.postponed(known, download: 3).phrase.english
                == "the server sent no body; `passconduit downloads resume 3` continues it")
        #expect(
            FetchProblem.webPage(title: "Home").phrase.english
                == "no pass: it is a web page, 'Home'; some servers send passes only to phones "
                + "(--user-agent)")
    }

    @Test("an ambiguous name is reported with all its candidates")
    func ambiguous() {
        let names = ["a", "b", "c"].map {
            PassIdentity(passTypeIdentifier: "pass.\($0)", serialNumber: "1")
        }
        #expect(
            LibraryError.ambiguous(name: "1", candidates: names).phrase.english
                == "1 is ambiguous: pass.a/1, pass.b/1 or pass.c/1")
        #expect(
            LibraryError.cannotWrite(path: "/x", reason: .system(ENOTDIR)).phrase.english
                == "cannot write /x: not a directory")
    }

    @Test("the message about a rebuilt index says what was kept")
    func rebuilt() {
        var index = LibraryFinding.RebuiltIndex()
        index.files = 19
        index.unknownOrigins = 2
        index.hasAllDownloads = false
        index.oldIndex = "/l/damaged/library.sqlite-1"
        #expect(
            finding(.damagedIndex(.truncated, index), isMended: true).phrase.english
                == "it is truncated; it was rebuilt from the pass files (19); the damaged index is kept as "
                + "/l/damaged/library.sqlite-1; unfinished downloads may be lost; "
                + "the origin of 2 of them is no longer known")
    }

    private func finding(_ kind: LibraryFinding.Kind, isMended: Bool) -> LibraryFinding {
        LibraryFinding(kind: kind, path: "/l", identity: nil, isMended: isMended)
    }

    @Test("in every catalogue", arguments: PortableCatalogue.all)
    func catalogues(catalogue: PortableCatalogue) {
        catalogue.expect(FetchFailureReason.samples.map(\.phrase))
        catalogue.expect((100..<600).compactMap(Phrase.meaning(ofStatus:)))
        catalogue.expect(AddressKind.allCases.map(\.phrase))
        catalogue.expect(CertificateFault.samples.map { $0.phrase(of: "a.example") })
        catalogue.expect([
            CertificateFault.forOtherHosts(["b"], more: 2).phrase(of: "a"),
            FetchFailureReason.status(host: "a", code: 599).phrase,
            FetchFailureReason.cut(host: "a", received: 1, size: nil).phrase,
            FetchFailureReason.tooLarge(host: "a", size: nil, limit: 1).phrase,
            FetchFailureReason.forbiddenAddress(host: nil, address: "::1", .loopback).phrase,
        ])
        catalogue.expect(DownloadFailure.samples.map(\.phrase))
        catalogue.expect([DownloadError(code: "later", failure: "{}").phrase])
        catalogue.expect(FetchProblem.samples.map(\.phrase))
        catalogue.expect([
            FetchProblem.webPage(title: nil).phrase,
            FetchProblem.noPass(type: .empty).phrase,
        ])
        catalogue.expect(UpdateProblem.samples.map(\.phrase) + [UpdateRunEnded().phrase])
        for verdict in Verdict.allCases {
            catalogue.expect([
                UpdateProblem.notTrusted(verdict).phrase,
                UpdateProblem.rejected(verdict, [], type: nil).phrase,
            ])
        }
        catalogue.expect(LibraryError.samples.map(\.phrase))
        catalogue.expect(LibraryError.AccessFailure.samples.map(\.phrase))
        catalogue.expect(
            LibraryError.PassDamage.samples.map {
                LibraryError.damagedPass(sha256: "ab", reason: $0).phrase
            })
        catalogue.expect(IndexDamage.samples.map(\.phrase))
        for kind in LibraryFinding.Kind.samples {
            catalogue.expect([true, false].map { finding(kind, isMended: $0).phrase })
        }
    }

    @Test("samples are distinct, and unchanged when stored in a library and read back")
    func samples() {
        let reasons = FetchFailureReason.samples
        #expect(Set(reasons).count == reasons.count)
        for reason in reasons {
            let error = DownloadError(FetchFailure(reason))
            #expect(error.known == .fetch(FetchFailure(reason)))
            #expect(error.code == reason.code.rawValue)
        }
    }
}
