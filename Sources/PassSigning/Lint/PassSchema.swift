import PassModel

/// The keys of pass.json: Apple's schema of 2026, and the keys of older documentation that Wallet
/// still reads.
enum PassSchema {
    /// The objects in pass.json.
    enum Object: Sendable, CaseIterable {
        case pass, fields, field, barcode, location, beacon, relevantDate, nfc, action, semantics,
            seat, currencyAmount, eventDateInfo, wifiNetwork, personName, upcomingEntry,
            upcomingDate, upcomingImages, upcomingImage, upcomingImageURL, upcomingURLs
    }

    /// The kind of a value.
    indirect enum Kind: Sendable, Hashable {
        case text, integer, number, boolean, date, color, url
        /// Text, a number, or a date if the field has a date style.
        case fieldValue
        /// Anything: data for the issuer's app.
        case any
        /// One of several words.
        case name(Name)
        case object(Object)
        case list(Kind)
    }

    /// The kinds of words that are values.
    enum Name: Sendable, Hashable {
        case transitType, dataDetector, textAlignment, dateStyle, numberStyle, barcodeFormat
        case eventType, styleScheme
    }

    /// The kinds of the values by object and key.
    static let kinds: [Object: [ExactText: Kind]] = rows.mapValues { rows in
        var kinds: [ExactText: Kind] = [:]
        for (kind, keys) in rows {
            for key in keys { kinds[ExactText(key)] = kind }
        }
        return kinds
    }

    /// The keys without which Wallet ignores or refuses an object.
    static let required: [Object: [String]] = [
        .field: ["key", "value"], .barcode: ["format", "message"],
        .location: ["latitude", "longitude"], .beacon: ["proximityUUID"], .nfc: ["message"],
    ]

    /// The keys without which Wallet refuses a pass.
    static let requiredOfPass = [
        "formatVersion", "passTypeIdentifier", "serialNumber", "teamIdentifier",
        "organizationName", "description",
    ]

    static func values(of name: Name) -> [String] {
        switch name {
        case .transitType: TransitType.allCases.map(\.rawValue)
        case .dataDetector: DataDetectorType.allCases.map(\.rawValue)
        case .textAlignment: TextAlignment.allCases.map(\.rawValue)
        case .dateStyle: DateStyle.allCases.map(\.rawValue)
        case .numberStyle: NumberStyle.allCases.map(\.rawValue)
        case .barcodeFormat: BarcodeFormat.allCases.map(\.rawValue)
        case .eventType: eventTypes
        case .styleScheme: styleSchemes
        }
    }

    private static let eventTypes = [
        "PKEventTypeGeneric", "PKEventTypeLivePerformance", "PKEventTypeMovie",
        "PKEventTypeSports", "PKEventTypeConference", "PKEventTypeConvention",
        "PKEventTypeWorkshop", "PKEventTypeSocialGathering",
    ]

    private static let styleSchemes = [
        "posterEventTicket", "eventTicket", "semanticBoardingPass",
        "boardingPass",
    ]

    private static let rows: [Object: [Kind: [String]]] = [
        .pass: [
            .object(.fields): [
                "boardingPass", "eventTicket", "coupon", "storeCard", "generic", "posterGeneric",
            ],
            .integer: ["formatVersion"],
            .text: [
                "serialNumber", "authenticationToken", "passTypeIdentifier", "teamIdentifier",
                "organizationName", "description", "eventLogoText", "logoText", "logoSymbolName",
                "groupingIdentifier", "contactVenueEmail", "contactVenuePhoneNumber",
                "transitProviderEmail", "transitProviderPhoneNumber",
            ],
            .url: [
                "webServiceURL", "accessibilityURL", "addOnURL", "appLaunchURL", "bagPolicyURL",
                "merchandiseURL", "orderFoodURL", "parkingInformationURL", "purchaseParkingURL",
                "sellURL", "transferURL", "transitInformationURL", "contactVenueWebsite",
                "directionsInformationURL", "changeSeatURL", "entertainmentURL",
                "purchaseAdditionalBaggageURL", "purchaseLoungeAccessURL", "purchaseWifiURL",
                "upgradeURL", "managementURL", "registerServiceAnimalURL", "reportLostBagURL",
                "requestWheelchairURL", "transitProviderWebsiteURL",
            ],
            .boolean: [
                "sharingProhibited", "voided", "suppressHeaderDarkening", "useAutomaticColors",
                "suppressStripShine",
            ],
            .list(.integer): ["associatedStoreIdentifiers", "auxiliaryStoreIdentifiers"],
            .date: ["expirationDate", "relevantDate"],
            .object(.barcode): ["barcode"],
            .list(.object(.barcode)): ["barcodes"],
            .number: ["maxDistance"],
            .list(.object(.relevantDate)): ["relevantDates"],
            .list(.object(.location)): ["locations"],
            .list(.object(.beacon)): ["beacons"],
            .color: [
                "backgroundColor", "foregroundColor", "labelColor", "stripColor",
                "footerBackgroundColor",
            ],
            .list(.object(.action)): ["featuredActions"],
            .object(.nfc): ["nfc"],
            .list(.name(.styleScheme)): ["preferredStyleSchemes"],
            .object(.semantics): ["semantics"],
            .list(.object(.upcomingEntry)): ["upcomingPassInformation"],
            .any: ["userInfo"],
        ],
        .fields: [
            .list(.object(.field)): [
                "headerFields", "primaryFields", "secondaryFields", "auxiliaryFields", "backFields",
                "additionalInfoFields", "footerFields",
            ],
            .name(.transitType): ["transitType"],
        ],
        .field: [
            .text: ["key", "label", "attributedValue", "changeMessage", "currencyCode"],
            .list(.name(.dataDetector)): ["dataDetectorTypes"],
            .name(.textAlignment): ["textAlignment"],
            .fieldValue: ["value"],
            .name(.dateStyle): ["dateStyle", "timeStyle"],
            .boolean: ["ignoresTimeZone", "isRelative"],
            .name(.numberStyle): ["numberStyle"],
            .integer: ["row"],
            .object(.semantics): ["semantics"],
        ],
        .barcode: [
            .name(.barcodeFormat): ["format"],
            .text: ["message", "messageEncoding", "altText"],
        ],
        .location: [
            .number: ["altitude", "latitude", "longitude"],
            .text: ["relevantText"],
        ],
        .beacon: [
            .integer: ["major", "minor"],
            .text: ["proximityUUID", "relevantText"],
        ],
        .relevantDate: [
            .date: ["date", "endDate", "startDate", "relevantDate"]
        ],
        .nfc: [
            .text: ["encryptionPublicKey", "message"],
            .boolean: ["requiresAuthentication"],
        ],
        .action: [
            .text: ["identifier", "type", "url"]
        ],
        .semantics: [
            .text: [
                "admissionLevel", "admissionLevelAbbreviation", "additionalTicketAttributes",
                "attendeeName", "entranceDescription", "eventName", "venueEntrance",
                "venueEntranceDoor", "venueEntranceGate", "venueEntrancePortal", "venueName",
                "venuePhoneNumber", "venueRegionName", "venueRoom", "awayTeamAbbreviation",
                "awayTeamLocation", "awayTeamName", "homeTeamAbbreviation", "homeTeamLocation",
                "homeTeamName", "leagueAbbreviation", "leagueName", "sportName", "genre",
                "airlineCode", "airlineLoungePlaceID", "boardingGroup", "boardingZone",
                "boardingSequenceNumber", "carNumber", "confirmationNumber", "departureAirportCode",
                "departureAirportName", "departureAirportTimeZone", "departureCityName",
                "departureGate", "departureLocationDescription", "departurePlatform",
                "departureStationName", "departureTerminal", "destinationAirportCode",
                "destinationAirportName", "destinationAirportTimeZone", "destinationCityName",
                "destinationGate", "destinationLocationDescription", "destinationPlatform",
                "destinationStationName", "destinationTerminal", "flightCode",
                "internationalDocumentsVerifiedDeclarationName", "membershipProgramName",
                "membershipProgramNumber", "priorityStatus", "securityScreening", "ticketFareClass",
                "transitProvider", "transitStatus", "transitStatusReason", "vehicleName",
                "vehicleNumber", "vehicleType",
            ],
            .name(.eventType): ["eventType"],
            .date: [
                "eventStartDate", "eventEndDate", "venueBoxOfficeOpenDate", "venueCloseDate",
                "venueDoorsOpenDate", "venueFanZoneOpenDate", "venueGatesOpenDate", "venueOpenDate",
                "venueParkingLotsOpenDate", "currentArrivalDate", "currentBoardingDate",
                "currentDepartureDate", "originalBoardingDate", "originalDepartureDate",
                "originalArrivalDate",
            ],
            .object(.eventDateInfo): ["eventStartDateInfo"],
            .list(.object(.seat)): ["seats"],
            .boolean: [
                "tailgatingAllowed", "internationalDocumentsAreVerified", "silenceRequested",
            ],
            .object(.location): ["venueLocation", "departureLocation", "destinationLocation"],
            .list(.text): [
                "albumIDs", "artistIDs", "performerNames", "playlistIDs", "passengerCapabilities",
                "departureAirportSecurityPrograms", "destinationAirportSecurityPrograms",
                "passengerAirlineSSRs", "passengerInformationSSRs", "passengerServiceSSRs",
                "passengerEligibleSecurityPrograms",
            ],
            .integer: ["duration", "flightNumber"],
            .object(.personName): ["passengerName"],
            .object(.currencyAmount): ["balance", "totalPrice"],
            .list(.object(.wifiNetwork)): ["wifiAccess"],
        ],
        .seat: [
            .text: [
                "seatDescription", "seatIdentifier", "seatNumber", "seatRow", "seatSection",
                "seatAisle", "seatLevel", "seatType",
            ],
            .color: ["seatSectionColor"],
        ],
        .currencyAmount: [
            .text: ["amount", "currencyCode"]
        ],
        .eventDateInfo: [
            .text: ["date", "timeZone"],
            .boolean: ["ignoreTimeComponents", "unannounced", "undetermined"],
        ],
        .wifiNetwork: [
            .text: ["ssid", "password"]
        ],
        .personName: [
            .text: [
                "namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname",
                "phoneticRepresentation",
            ]
        ],
        .upcomingEntry: [
            .object(.upcomingURLs): ["urls"],
            .list(.object(.field)): ["additionalInfoFields", "backFields"],
            .list(.integer): ["auxiliaryStoreIdentifiers"],
            .object(.upcomingDate): ["dateInformation"],
            .text: ["identifier", "name", "type"],
            .object(.upcomingImages): ["images"],
            .boolean: ["isActive"],
            .object(.semantics): ["semantics"],
        ],
        .upcomingDate: [
            .date: ["date"],
            .boolean: ["ignoreTimeComponents", "isAllDay", "isUnannounced", "isUndetermined"],
            .text: ["timeZone"],
        ],
        .upcomingImages: [
            .object(.upcomingImage): ["headerImage", "venueMap"]
        ],
        .upcomingImage: [
            .list(.object(.upcomingImageURL)): ["urls"],
            .boolean: ["reuseExisting"],
        ],
        .upcomingImageURL: [
            .text: ["sha256", "url"],
            .number: ["scale"],
            .integer: ["size"],
        ],
        .upcomingURLs: [
            .url: [
                "accessibilityURL", "addOnURL", "bagPolicyURL", "contactVenueWebsite",
                "directionsInformationURL", "merchandiseURL", "orderFoodURL",
                "parkingInformationURL", "purchaseParkingURL", "sellURL", "transferURL",
                "transitInformationURL",
            ],
            .text: ["contactVenueEmail", "contactVenuePhoneNumber"],
        ],
    ]
}
