import Foundation
import PassModel
import Testing

@testable import PassAddresses

@Suite("The links and contacts of a pass have titles and can be opened")
struct PassAddressTests {
    @Test(
        "An e-mail address is opened in the mail program",
        arguments: [
            ("box@venue.example", "mailto:box@venue.example"),
            (" box@venue.example ", "mailto:box@venue.example"),
            // RFC 6068, 2: the reserved characters are encoded.
            ("box%3Fbcc=x@venue.example", "mailto:box%253Fbcc%3Dx@venue.example"),
            ("box?bcc=thief@venue.example", "mailto:box%3Fbcc%3Dthief@venue.example"),
            ("box&tickets@venue.example", "mailto:box%26tickets@venue.example"),
            ("a@b.example,c@d.example", nil), ("Box <box@venue.example>", nil),
            ("box@venue.example\nbcc: x", nil), ("@venue.example", nil), ("box", nil),
            ("https://venue.example", nil),
        ] as [(String, String?)])
    func email(written: String, url: String?) throws {
        let address = try #require(try addresses(["contactVenueEmail": written]).first)
        #expect(address.text == written && address.url?.absoluteString == url)
    }

    /// The results are numbers of RFC 3966, 5.1.4, without their separators.
    @Test(
        "A telephone number is called",
        arguments: [
            ("+1-201-555-0123", "tel:+12015550123"), ("+351 21 000 00 00", "tel:+351210000000"),
            ("(030) 123.456", "tel:030123456"), ("112", "tel:112"),
            ("1-800-FLOWERS", nil), ("+", nil), ("*#06#", nil), ("1;ext=2", nil), ("++1", nil),
        ] as [(String, String?)])
    func telephone(written: String, url: String?) throws {
        let address = try #require(try addresses(["transitProviderPhoneNumber": written]).first)
        #expect(address.text == written && address.url?.absoluteString == url)
    }

    @Test("Each key of Apple's schema has a title of its own")
    func titles() throws {
        let pass = try addresses(keys.merging(contacts) { key, _ in key })
        #expect(pass.count == keys.count + contacts.count)
        #expect(Set(pass.map(\.title)).count == pass.count)
        #expect(!pass.contains { $0.title.isEmpty || $0.title.contains("URL") })
        #expect(!pass.contains { $0.url == nil })
    }

    private func addresses(_ members: [String: String]) throws -> [PassAddress] {
        var object: [String: Any] = ["passTypeIdentifier": "pass.a", "serialNumber": "1"]
        object.merge(members) { $1 }
        return try Pass(json: Array(JSONSerialization.data(withJSONObject: object))).addresses
    }
}

private let keys = Dictionary(
    uniqueKeysWithValues: [
        "accessibilityURL", "addOnURL", "bagPolicyURL", "merchandiseURL", "orderFoodURL",
        "parkingInformationURL", "purchaseParkingURL", "sellURL", "transferURL",
        "transitInformationURL", "contactVenueWebsite", "directionsInformationURL", "changeSeatURL",
        "entertainmentURL", "purchaseAdditionalBaggageURL", "purchaseLoungeAccessURL",
        "purchaseWifiURL", "upgradeURL", "managementURL", "registerServiceAnimalURL",
        "reportLostBagURL", "requestWheelchairURL", "transitProviderWebsiteURL",
    ].map { ($0, "https://venue.example/\($0)") })

private let contacts = [
    "contactVenueEmail": "a@b.example", "contactVenuePhoneNumber": "+351 1",
    "transitProviderEmail": "c@d.example", "transitProviderPhoneNumber": "+351 2",
]
