import Archives
import Bytes

/// An archive is read within its limits, and gives the same result each time.
func fuzzZip(_ input: Input) {
    let limits = smallLimits
    guard let archive = try? ZipArchive(SpooledBytes(input.bytes), limits: limits) else { return }
    let entries = archive.entries
    expect(entries.count <= limits.entries, "there are \(entries.count) entries")
    let around = archive.leadingCount + archive.trailingCount
    expect(
        archive.leadingCount >= 0 && archive.trailingCount >= 0 && around <= input.bytes.count,
        "\(around) bytes lie around an archive of \(input.bytes.count)")
    expectStreamSafe(entries.map(\.name))
    if (try? archive.refuseUnsafe()) != nil { expectSafe(entries) }
    _ = archive.topFolder(around: "pass.json")

    var total = 0
    for entry in entries {
        let first = Contents(of: entry, archive)
        total += first.bytes.count
        guard first.isWhole else { continue }
        // The second read does not count against the limits, so it cannot be refused.
        let second = Contents(of: entry, archive)
        expect(second == first, "\(entry.name) differs the second time")
    }
    expect(total <= limits.total, "\(total) bytes are inflated")
}

private var smallLimits: ZipLimits {
    var limits = ZipLimits()
    limits.archive = 1 << 20
    limits.entries = 50
    limits.entry = 1 << 20
    limits.total = 2 << 20
    limits.ratio = 20
    limits.ratioFloor = 64 << 10
    limits.directory = 64 << 10
    limits.trailing = 256 << 10
    return limits
}

/// The bytes read of an entry, up to its end or an error.
private struct Contents: Equatable {
    private(set) var bytes: [UInt8] = []
    private(set) var isWhole = false

    init(of entry: ZipEntry, _ archive: ZipArchive) {
        do throws(ZipError) {
            try archive.read(entry) { piece throws(ZipError) in
                for index in piece.indices { bytes.append(piece[index]) }
                return true
            }
            isWhole = true
            expect(bytes.count == entry.size, "\(entry.name) has not the size that it declares")
        } catch {
            isWhole = false
        }
        expect(bytes.count <= smallLimits.entry, "\(bytes.count) bytes of \(entry.name)")
    }
}

private func expectSafe(_ entries: [ZipEntry]) {
    var paths: Set<String> = []
    for entry in entries {
        expect(!StreamSafeText.hasLongRun(entry.rawName.span), "\(entry.name) is taken for safe")
        let components = entry.name.split(separator: "/", omittingEmptySubsequences: false)
        expect(
            !entry.name.hasPrefix("/") && !components.contains("..")
                && !entry.name.contains("\\") && !entry.name.utf8.contains(0),
            "\(entry.name) is taken for safe")
        let path = entry.name.hasSuffix("/") ? String(entry.name.dropLast()) : entry.name
        expect(paths.insert(path).inserted, "two entries are named \(path)")
    }
}
