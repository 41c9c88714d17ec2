import PassDrawing
import Testing

@Suite("Passes for iOS 18, 26 and 27 are drawn")
struct NewerFaceTests {
    @Test("the style posterGeneric is drawn like generic, with its footer fields")
    func posterGeneric() throws {
        let fields = #""primaryFields": [{"key": "p", "label": "member", "value": "Ana"}]"#
        let poster = try TestFace(
            """
            "posterGeneric": {\(fields),
                "footerFields": [{"key": "f", "label": "since", "value": "2012"}]}
            """
        ).face()
        let generic = try TestFace(#""generic": {\#(fields)}"#).face()
        #expect(poster.size == generic.size)
        #expect(poster.spokenText == generic.spokenText + "\nsince: 2012")
    }

    @Test("the back has contacts and links with titles, and later events")
    func back() throws {
        let back = try TestFace(
            """
            "eventTicket": {}, "contactVenueEmail": "box@venue.example",
            "bagPolicyURL": "https://venue.example/bags",
            "upcomingPassInformation": [
                {"name": "Final", "dateInformation": {"date": "2026-05-01T20:00+02:00"},
                 "URLs": {"sellURL": "https://venue.example/sell"},
                 "backFields": [{"key": "gate", "label": "gate", "value": "7"}]}]
            """
        ).back()
        #expect(
            back.spokenText.split(separator: "\n") == [
                "Sample", "E-mail of the venue", "box@venue.example", "Bag policy",
                "https://venue.example/bags", "Final", "Friday, May 1, 2026 at 6:00 PM", "gate",
                "7",
                "Sell the ticket", "https://venue.example/sell",
            ])
    }
}
