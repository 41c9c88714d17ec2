package import Foundation
internal import Glibc

extension LocaleEnvironment {
    /// The reader's time zone, by the rules of tzset(3): that of TZ, or else of /etc/localtime.
    /// Foundation alone takes UTC where TZ is not a name, and where /etc/localtime is not a symbolic
    /// link.
    package var timeZone: TimeZone {
        timeZoneName.flatMap(TimeZone.init(identifier:)) ?? .ofSystemLibrary
    }

    /// The name in the time zone database; nil for a rule such as `CET-1CEST,M3.5.0,M10.5.0/3` and
    /// for a file of its own.
    private var timeZoneName: String? {
        guard let variable = variables["TZ"] else { return nameInDatabase("/etc/localtime") }
        let value = variable.hasPrefix(":") ? variable.dropFirst() : variable[...]
        if value.hasPrefix("/") { return nameInDatabase(String(value)) }
        // Foundation reads `GMT+3` as east of Greenwich, POSIX as west.
        let isName = value.contains("/") || value.allSatisfy { $0.isLetter || $0 == "_" }
        return isName ? inDatabase(value) : nil
    }
}

private func nameInDatabase(_ link: String) -> String? {
    let path = URL(fileURLWithPath: link).resolvingSymlinksInPath().path
    return path.range(of: "/zoneinfo/").flatMap { inDatabase(path[$0.upperBound...]) }
}

/// The name without the folder of the variants with and without leap seconds.
private func inDatabase(_ name: some StringProtocol) -> String {
    let folder = ["posix/", "right/"].first { name.hasPrefix($0) } ?? ""
    return String(name.dropFirst(folder.count))
}

extension TimeZone {
    /// The time zone of the C library: a known one with the same clocks from 2010 to 2037, or else
    /// that of today's offset from UTC.
    fileprivate static var ofSystemLibrary: TimeZone {
        let months = (0..<336).map {
            Date(timeIntervalSince1970: 1_262_304_000 + 2_629_746 * Double($0))
        }
        let offsets = months.map { secondsFromGMT(at: $0) }
        let today = TimeZone(secondsFromGMT: secondsFromGMT(at: .now)) ?? .gmt
        if Set(offsets).count == 1 { return today }
        let known = TimeZone.knownTimeZoneIdentifiers.lazy.compactMap(TimeZone.init(identifier:))
        let same = known.first { zone in
            zip(months, offsets).allSatisfy { zone.secondsFromGMT(for: $0) == $1 }
        }
        return same ?? today
    }

    /// The offset of the C library.
    private static func secondsFromGMT(at date: Date) -> Int {
        var time = time_t(date.timeIntervalSince1970)
        var local = unsafe tm()
        return unsafe localtime_r(&time, &local) == nil ? 0 : unsafe local.tm_gmtoff
    }
}
