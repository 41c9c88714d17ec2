internal import Bytes
import Foundation

extension ObjectReader {
    /// The barcodes of `barcodes`, or the deprecated `barcode` if none of them is valid.
    mutating func barcodes(_ notes: inout Oddities) -> [Barcode] {
        let listed = objects("barcodes", &notes).enumerated()
            .compactMap { Barcode($1, at: $0, &notes) }
        let old = object("barcode", &notes)
            .flatMap { Barcode(ObjectReader($0, place: .object("barcode")), at: 0, &notes) }
        return listed.isEmpty ? old.map { [$0] } ?? [] : listed
    }

    mutating func relevantDates(_ notes: inout Oddities) -> [RelevantDate] {
        objects("relevantDates", &notes).map { item in
            var item = item
            let date = item.date("date", &notes)
            let newer = item.date("relevantDate", &notes)
            return RelevantDate(
                date: (date ?? newer)?.date,
                startDate: item.date("startDate", &notes)?.date,
                endDate: item.date("endDate", &notes)?.date)
        }
    }

    mutating func locations(_ notes: inout Oddities) -> [Location] {
        let locations = objects("locations", &notes).compactMap { Location($0, &notes) }
        // VIOLATIONS.md, P21: all are kept.
        if locations.count > 10 {
            notes.note(.tooManyLocations)
        }
        return locations
    }

    mutating func beacons(_ notes: inout Oddities) -> [Beacon] {
        let beacons = objects("beacons", &notes).compactMap { Beacon($0, &notes) }
        if beacons.count > 10 {
            notes.note(.tooManyBeacons)
        }
        return beacons
    }

    mutating func nfc(_ notes: inout Oddities) -> NFC? {
        guard let members = object("nfc", &notes) else { return nil }
        var reader = ObjectReader(members, place: .object("nfc"))
        return NFC(
            message: reader.string("message", &notes) ?? "",
            encryptionPublicKey: reader.string("encryptionPublicKey", &notes),
            requiresAuthentication: reader.boolean("requiresAuthentication", &notes) ?? false)
    }

    mutating func links(_ notes: inout Oddities) -> [PassLink: URL] {
        var links: [PassLink: URL] = [:]
        for link in PassLink.allCases {
            links[link] = url(link.rawValue, &notes)
        }
        return links
    }

    mutating func contacts(_ notes: inout Oddities) -> [PassContact: String] {
        var contacts: [PassContact: String] = [:]
        for contact in PassContact.allCases {
            contacts[contact] = string(contact.rawValue, &notes)
        }
        return contacts
    }

    mutating func upcomingEntries(
        _ limits: PassLimits, _ notes: inout Oddities
    ) -> [UpcomingEntry] {
        let entries = objects("upcomingPassInformation", &notes)
        if entries.count > limits.upcomingEntries {
            notes.note(.tooManyEvents(limit: limits.upcomingEntries))
        }
        return entries.prefix(limits.upcomingEntries).map {
            UpcomingEntry($0, fieldsInGroup: limits.fieldsInGroupOfEntry, &notes)
        }
    }
}

extension Barcode {
    /// The number of barcodes whose charset is checked, which may load a table: those of which one
    /// is shown.
    private static let mostChecked = 10

    fileprivate init?(_ reader: ObjectReader, at index: Int, _ notes: inout Oddities) {
        var reader = reader
        // VIOLATIONS.md, P25: no message, or an unknown format.
        let name = reader.string("format", &notes) ?? ""
        guard let format = BarcodeFormat(exactly: name) else {
            notes.note(.unsupportedBarcode(place: reader.place, format: excerpt(name)))
            return nil
        }
        guard let message = reader.string("message", &notes) else {
            notes.note(.missingBarcodeMessage(place: reader.place))
            return nil
        }
        self.format = format
        self.message = message
        messageEncoding = reader.string("messageEncoding", &notes) ?? "iso-8859-1"
        altText = reader.string("altText", &notes)
        guard index < Barcode.mostChecked, let charsetError else { return }
        let (place, charset) = (reader.place, excerpt(messageEncoding))
        switch charsetError {
        case .unknown: notes.note(.barcodeEncoding(place: place, name: charset))
        case .noTable: break
        case .lacksCharacters: notes.note(.barcodeNotInEncoding(place: place, name: charset))
        }
    }
}

extension Location {
    fileprivate init?(_ reader: ObjectReader, _ notes: inout Oddities) {
        var reader = reader
        // VIOLATIONS.md, P20: an invalid location.
        guard let latitude = reader.number("latitude", &notes), abs(latitude) <= 90,
            let longitude = reader.number("longitude", &notes), abs(longitude) <= 180
        else {
            notes.note(.invalidLocation(place: reader.place))
            return nil
        }
        self.latitude = latitude
        self.longitude = longitude
        altitude = reader.number("altitude", &notes)
        relevantText = reader.string("relevantText", &notes)
    }
}

extension Beacon {
    fileprivate init?(_ reader: ObjectReader, _ notes: inout Oddities) {
        var reader = reader
        let text = reader.string("proximityUUID", &notes) ?? ""
        guard let identifier = UUID(uuidString: text) else {
            notes.note(.invalidBeacon(place: reader.place, text: excerpt(text)))
            return nil
        }
        proximityUUID = identifier
        major = reader.integer("major", &notes)
        minor = reader.integer("minor", &notes)
        relevantText = reader.string("relevantText", &notes)
    }
}
