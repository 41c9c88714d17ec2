import Fetching
import Foundation
import Glibc
import PassDownloads
import PassImport
import PassModel
import PassUpdates
import PassVerification
import Platform

@testable import PassStore

/// A type with a sample for each of its cases. Each sample leads to the next one in an exhaustive
/// switch, so that the compiler requires a sample for a new case.
protocol SampledInTurn {
    static func sample(after last: Self?) -> Self?
}

extension SampledInTurn {
    static var samples: [Self] {
        Array(
            sequence(state: nil as Self?) { last in
                last = sample(after: last)
                return last
            })
    }
}

extension FetchFailureReason: SampledInTurn {
    static func sample(after last: FetchFailureReason?) -> FetchFailureReason? {
        switch last {
        case nil: .notURL
        case .notURL: .urlTooLong(limit: 16_384)
        case .urlTooLong: .unknownScheme("ftp")
        case .unknownScheme: .noHost
        case .noHost: .invalidAddress
        case .invalidAddress: .invalidName
        case .invalidName: .invalidPort(0)
        case .invalidPort: .unsendableField
        case .unsendableField: .invalidRequest
        case .invalidRequest: .insecure(host: "a.example")
        case .insecure: .unknownHost("a.example")
        case .unknownHost: .resolverBusy(host: "a.example")
        case .resolverBusy: .resolverFailed(host: "a.example", words: "bad")
        case .resolverFailed: .resolverSilent(host: "a.example", seconds: 0.5)
        case .resolverSilent: .forbiddenAddress(host: "a.example", address: "::1", .loopback)
        case .forbiddenAddress: .privateName(host: "router")
        case .privateName: .refused(.proxy("a.example:3128"))
        case .refused: .closed(.server("a.example"))
        case .closed: .unreachable(.server("a.example"))
        case .unreachable: .connectionFailed(.server("a.example"), EIO)
        case .connectionFailed: .noAnswer(.server("a.example"), seconds: 10)
        case .noAnswer: .stalled(host: "a.example", seconds: 1)
        case .stalled: .belowRate(host: "a.example", bytesPerSecond: 10, seconds: 45)
        case .belowRate: .tooSlow(host: "a.example", seconds: 3600)
        case .tooSlow: .certificate(host: "a.example", .untrusted)
        case .certificate: .noTLS(host: "a.example")
        case .noTLS: .oldTLS(host: "a.example")
        case .oldTLS: .unrecognizedName(host: "a.example")
        case .unrecognizedName: .clientCertificateWanted(host: "a.example")
        case .clientCertificateWanted: .noCommonCipher(host: "a.example")
        case .noCommonCipher: .tlsFailed(host: "a.example")
        case .tlsFailed: .unreadableAuthorities
        case .unreadableAuthorities: .unknownProxyScheme("foo")
        case .unknownProxyScheme: .proxyWithoutHost
        case .proxyWithoutHost: .proxyCredentialsWanted(proxy: "a.example:3128")
        case .proxyCredentialsWanted: .proxyRefused(proxy: "a.example:3128")
        case .proxyRefused: .proxyFailed(proxy: "a.example:3128")
        case .proxyFailed: .status(host: "a.example", code: 404)
        case .status: .redirectWithoutTarget(host: "a.example")
        case .redirectWithoutTarget: .redirectToNoURL(host: "a.example")
        case .redirectToNoURL: .redirectToUnfetchable(host: "a.example", .unknownScheme("ftp"))
        case .redirectToUnfetchable: .redirectWithUser(host: "a.example", target: "b.example")
        case .redirectWithUser: .redirectLoop(host: "a.example")
        case .redirectLoop: .redirectNotFollowed(host: "a.example")
        case .redirectNotFollowed: .tooManyRedirects(host: "a.example", limit: 10)
        case .tooManyRedirects: .tooLarge(host: "a.example", size: 3 << 20, limit: 1 << 19)
        case .tooLarge: .cut(host: "a.example", received: 5, size: 10)
        case .cut: .encoded(host: "a.example", coding: "br")
        case .encoded: .unrequestedPart(host: "a.example")
        case .unrequestedPart: .notHTTP(host: "a.example")
        case .notHTTP: .longAnswer
        case .longAnswer: .noResponse(host: "a.example")
        case .noResponse: .protocolFailed(host: "a.example", words: "stream closed")
        case .protocolFailed: .noBody
        case .noBody: .invalidFileName
        case .invalidFileName: .file(FileError(.write, ENOSPC))
        case .file: .ended
        case .ended: nil
        }
    }
}

extension CertificateFault: SampledInTurn {
    private static let date = HTTPDate(seconds: 1_714_521_600)

    static func sample(after last: CertificateFault?) -> CertificateFault? {
        switch last {
        case nil: .untrusted
        case .untrusted: .expired(date)
        case .expired: .notYetValid(date)
        case .notYetValid: .issuerExpired(name: "Root", date)
        case .issuerExpired: .issuerNotYetValid(name: nil, date)
        case .issuerNotYetValid: .selfSigned
        case .selfSigned: .unknownIssuer(name: "Root")
        case .unknownIssuer: .namesNoHost
        case .namesNoHost: .forOtherHosts(["b.example", "c.example"], more: 0)
        case .forOtherHosts: nil
        }
    }
}

extension DownloadFailure: SampledInTurn {
    static func sample(after last: DownloadFailure?) -> DownloadFailure? {
        switch last {
        case nil: .fetch(FetchFailure(.notURL))
        case .fetch: .mismatchedPieces
        case .mismatchedPieces: .unreadable(FileError(.open, EACCES))
        case .unreadable: nil
        }
    }
}

extension FetchProblem: SampledInTurn {
    static func sample(after last: FetchProblem?) -> FetchProblem? {
        let error = DownloadError(.mismatchedPieces)
        return switch last {
        case nil: .failed(error)
        case .failed: .postponed(error, download: 3)
        case .postponed: .paused(download: 3)
        case .paused: .cancelled
        case .cancelled: .elsewhere
        case .elsewhere: .noPass(type: .media("image/png"))
        case .noPass: .webPage(title: "Home")
        case .webPage: .unreadable(error)
        case .unreadable: .link(error)
        case .link: .tooManyLinks
        case .tooManyLinks: .longLink
        case .longLink: nil
        }
    }
}

extension UpdateProblem: SampledInTurn {
    private static let date = Date(timeIntervalSince1970: 1_714_521_600)

    static func sample(after last: UpdateProblem?) -> UpdateProblem? {
        switch last {
        case nil: .fetch(FetchFailure(.notURL))
        case .fetch: .insecure
        case .insecure: .noWebService
        case .noWebService: .hostBusy
        case .hostBusy: .hostSilent
        case .hostSilent: .notTrusted(.unsigned)
        case .notTrusted: .unreadable(.replaced("/l"))
        case .unreadable: .unreadableAnswer(.limit(.depth))
        case .unreadableAnswer: .notOnePass
        case .notOnePass:
            .anotherPass(PassIdentity(passTypeIdentifier: "pass.a", serialNumber: "1"))
        case .anotherPass: .older(signedAt: date, current: date + 60)
        case .older: .rejected(.malformed, [], type: .media("text/html"))
        case .rejected: nil
        }
    }
}

extension LibraryError: SampledInTurn {
    static func sample(after last: LibraryError?) -> LibraryError? {
        switch last {
        case nil: .noSuchLibrary("/l")
        case .noSuchLibrary: .cannotWrite(path: "/l", reason: .system(ENOSPC))
        case .cannotWrite: .cannotRead(path: "/l", reason: .index("disk I/O error"))
        case .cannotRead: .locked("/l")
        case .locked: .corrupted(path: "/l", reason: .lost)
        case .corrupted: .newerLibrary("/l")
        case .newerLibrary: .replaced("/l")
        case .replaced: .damagedPass(sha256: "ab", reason: .gone)
        case .damagedPass: .noSuchPass("7")
        case .noSuchPass:
            .ambiguous(
                name: "1",
                candidates: ["a", "b", "c"].map {
                    PassIdentity(passTypeIdentifier: "pass.\($0)", serialNumber: "1")
                })
        case .ambiguous: nil
        }
    }
}

extension LibraryError.AccessFailure: SampledInTurn {
    static func sample(after last: LibraryError.AccessFailure?) -> LibraryError.AccessFailure? {
        switch last {
        case nil: .system(EACCES)
        case .system: .index("disk I/O error")
        case .index: .isReadOnly
        case .isReadOnly: .cannotMark(.index("disk I/O error"))
        case .cannotMark: nil
        }
    }
}

extension LibraryError.PassDamage: SampledInTurn {
    static func sample(after last: LibraryError.PassDamage?) -> LibraryError.PassDamage? {
        switch last {
        case nil: .gone
        case .gone: .changed
        case .changed: .unreadablePass
        case .unreadablePass: .unreadableFile(EACCES)
        case .unreadableFile: nil
        }
    }
}

extension IndexDamage: SampledInTurn {
    static func sample(after last: IndexDamage?) -> IndexDamage? {
        switch last {
        case nil: .gone
        case .gone: .lost
        case .lost: .unfinishedMending
        case .unfinishedMending: .truncated
        case .truncated: .notDatabase
        case .notDatabase: .danglingRow
        case .danglingRow: .unreadableRow("verdict")
        case .unreadableRow: .reported("database disk image is malformed")
        case .reported: nil
        }
    }
}

extension LibraryFinding.Kind: SampledInTurn {
    static func sample(after last: LibraryFinding.Kind?) -> LibraryFinding.Kind? {
        switch last {
        case nil: .interruptedImport
        case .interruptedImport: .interruptedDownload
        case .interruptedDownload: .orphanFile
        case .orphanFile: .strayFile
        case .strayFile: .missingFile(nil)
        case .missingFile(nil): .missingFile(.onlyVersion)
        case .missingFile(.onlyVersion): .missingFile(.others)
        case .missingFile(.others): .changedFile(nil)
        case .changedFile(nil): .changedFile(.onlyVersion)
        case .changedFile(.onlyVersion): .changedFile(.others)
        case .changedFile(.others): .wrongFront
        case .wrongFront: .wrongSearch
        case .wrongSearch: .wrongUpdates
        case .wrongUpdates: .damagedIndex(.gone, nil)
        case .damagedIndex(_, nil): .damagedIndex(.gone, LibraryFinding.RebuiltIndex())
        case .damagedIndex: .refusedFile
        case .refusedFile: .openToOthers
        case .openToOthers: nil
        }
    }
}
