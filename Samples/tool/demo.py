"""The mailbox that `make run` imports: five mails, each with a pass. All dates in the passes are in
the 2040s, and each event begins between 11:00 and 12:00 UTC, on the same day in nearly every time
zone. A separate authority signs them, so that the demo can be regenerated separately."""

from email.message import EmailMessage
from email.policy import SMTP

from . import demo_pictures as pictures
from .documents import AIRLINE, CAFE, CINEMA, GYM, RAILWAY, field, head, write
from .mbox import Mbox
from .passes import issued

TIMES = {"timeStyle": "PKDateStyleShort", "ignoresTimeZone": True}
DAYS = {"dateStyle": "PKDateStyleMedium", "ignoresTimeZone": True}


def make(tree, authority):
    tree.add("demo/root.pem", authority.root.pem)
    box = Mbox()
    for firm, address, subject, text, name, files in MAILS:
        message = mail(f"{firm} <{address}>", subject, text, name, issued(authority, files()))
        box.add(name, message, sender=f"{address} Tue May  7 09:00:00 2024".encode())
    tree.add("demo/inbox.mbox", box.content)


def mail(sender, subject, text, name, content):
    message = EmailMessage(policy=SMTP.clone(linesep="\n"))
    message["From"] = sender
    message["To"] = "Ana Sample <ana@home.example>"
    message["Subject"] = subject
    message["Date"] = "Tue, 07 May 2024 09:00:00 +0000"
    message["Message-ID"] = f"<{name}@mail.example>"
    message.set_content(text)
    message.add_attachment(
        content, maintype="application", subtype="vnd.apple.pkpass", filename=f"{name}.pkpass")
    message.set_boundary(f"=_demo_{name}")
    return message.as_bytes()


def flight():
    departure, boarding = "2042-06-14T12:25+01:00", "2042-06-14T11:45+01:00"
    return {**pictures.nimbus(), "pass.json": write(head(
        AIRLINE, "NB2417-12A", "Nimbus Air", "Nimbus Air to São Paulo",
        backgroundColor="rgb(12, 74, 140)", foregroundColor="rgb(255, 255, 255)",
        labelColor="rgb(170, 208, 242)", logoText="Nimbus Air", relevantDate=departure,
        expirationDate="2042-06-15T12:00Z",
        locations=[{"latitude": 38.7742, "longitude": -9.1342,
                    "relevantText": "Bags can be dropped until 11:25."}],
        barcodes=[{"format": "PKBarcodeFormatAztec", "messageEncoding": "iso-8859-1",
                   "message": "NB2417 0614 12A SAMPLE"}],
        semantics={
            "airlineCode": "NB", "flightNumber": 2417, "departureAirportCode": "LIS",
            "destinationAirportCode": "GRU", "departureGate": "7",
            "originalDepartureDate": departure, "originalBoardingDate": boarding,
            "passengerName": {"givenName": "Ana", "familyName": "Sample"},
            "seats": [{"seatNumber": "12A"}]},
        boardingPass={
            "transitType": "PKTransitTypeAir",
            "headerFields": [
                field("boarding", boarding, "Boarding", **TIMES),
                field("gate", "7", "Gate", changeMessage="Your gate is now %@")],
            "primaryFields": [field("from", "LIS", "Lisboa"), field("to", "GRU", "São Paulo")],
            "secondaryFields": [
                field("passenger", "Ana Sample", "Passenger"),
                field("departs", departure, "Departs", **TIMES, dateStyle="PKDateStyleMedium"),
                field("seat", "12A", "Seat")],
            "backFields": [
                field("baggage", "One bag of 23 kg, and one of 8 kg in the cabin.", "Baggage"),
                field("gates", "Gates close 20 minutes before departure.", "At the gate"),
                field("phone", "+351 210 000 000", "Help")]}))}


def train():
    departure, arrival = "2042-07-11T13:40+02:00", "2042-07-11T15:12+02:00"
    return {**pictures.hillside(), "pass.json": write(head(
        RAILWAY, "HR88-41", "Hillside Railway", "Hillside Railway to Harbour",
        backgroundColor="rgb(24, 84, 52)", foregroundColor="rgb(255, 255, 255)",
        labelColor="rgb(176, 220, 152)", logoText="Hillside Railway", relevantDate=departure,
        expirationDate="2042-07-12T12:00Z",
        locations=[{"latitude": 46.9481, "longitude": 7.4474,
                    "relevantText": "Train 88 leaves from platform 3."}],
        barcodes=[{"format": "PKBarcodeFormatPDF417", "messageEncoding": "iso-8859-1",
                   "message": "HR|88|20420711|7|41|HILLSIDE|HARBOUR", "altText": "HR 88 7/41"}],
        semantics={
            "transitProvider": "Hillside Railway", "vehicleNumber": "88", "carNumber": "7",
            "departureStationName": "Hillside", "destinationStationName": "Harbour",
            "departurePlatform": "3", "originalDepartureDate": departure,
            "originalArrivalDate": arrival,
            "passengerName": {"givenName": "Ana", "familyName": "Sample"},
            "seats": [{"seatNumber": "41"}]},
        boardingPass={
            "transitType": "PKTransitTypeTrain",
            "headerFields": [field("platform", "3", "Platform")],
            "primaryFields": [
                field("from", "Hillside", "13:40"), field("to", "Harbour", "15:12")],
            "auxiliaryFields": [
                field("date", departure, "Date", **DAYS), field("train", "IC 88", "Train"),
                field("coach", "7", "Coach"), field("seat", "41", "Seat")],
            "secondaryFields": [
                field("passenger", "Ana Sample", "Passenger"),
                field("fare", 23.5, "Fare", currencyCode="EUR")],
            "backFields": [
                field("note", "Valid on train IC 88 only, in second class.", "Conditions"),
                field("bikes", "Bicycles need a ticket of their own.", "Bicycles")]}))}


def film():
    begins = "2042-09-20T20:15+09:00"
    return {**pictures.lumen(), "pass.json": write(head(
        CINEMA, "LC0920-F12", "Lumen Cinema", "The Long Way Home",
        backgroundColor="rgb(52, 22, 62)", foregroundColor="rgb(255, 240, 220)",
        labelColor="rgb(240, 168, 72)", logoText="Lumen Cinema", relevantDate=begins,
        expirationDate="2042-09-21T12:00Z",
        locations=[{"latitude": 37.5704, "longitude": 126.9919,
                    "relevantText": "Hall 3 is on the second floor."}],
        barcodes=[{"format": "PKBarcodeFormatQR", "messageEncoding": "utf-8",
                   "message": "https://lumen.example/t/LC0920-F12", "altText": "LC0920-F12"}],
        semantics={
            "eventType": "PKEventTypeMovie", "eventName": "The Long Way Home",
            "eventStartDate": begins, "venueName": "Lumen Cinema", "venueRoom": "Hall 3",
            "seats": [{"seatRow": "F", "seatNumber": "12"}]},
        eventTicket={
            "headerFields": [field("hall", "3", "Hall")],
            "secondaryFields": [
                field("film", "The Long Way Home", "Film"),
                field("begins", begins, "Begins", **TIMES, dateStyle="PKDateStyleMedium")],
            "auxiliaryFields": [
                field("row", "F", "Row"), field("seat", "12", "Seat"),
                field("length", "118 min", "Length"), field("sound", "Original", "Language")],
            "backFields": [
                field("address", "12 Sample Street, Seoul", "Address"),
                field("doors", "Doors open at 19:45. The film begins on time.", "Doors")]}))}


def cafe():
    return {**pictures.roastery(stamps=7), "pass.json": write(head(
        CAFE, "000451", "Corner Roastery", "Corner Roastery stamp card",
        backgroundColor="rgb(84, 50, 30)", foregroundColor="rgb(255, 250, 240)",
        labelColor="rgb(222, 184, 140)", logoText="Corner Roastery",
        expirationDate="2046-12-31T12:00Z",
        locations=[{"latitude": 37.5665, "longitude": 126.978,
                    "relevantText": "Three more stamps, one free coffee."}],
        barcodes=[{"format": "PKBarcodeFormatCode128", "messageEncoding": "iso-8859-1",
                   "message": "CR000451", "altText": "CR 000451"}],
        storeCard={
            "headerFields": [field("balance", 21500, "Balance", currencyCode="KRW")],
            "secondaryFields": [
                field("stamps", "7 of 10", "Stamps", changeMessage="You have %@ stamps"),
                field("favourite", "Flat white", "Usual"), field("level", "Regular", "Level")],
            "backFields": [
                field("offer", "Ten stamps are worth one coffee of your choice.", "Stamps"),
                field("hours", "Monday to Saturday, 7:00 to 19:00", "Open")]}))}


def gym():
    return {**pictures.oak(), "pass.json": write(head(
        GYM, "OAK-5521", "Oak Gym", "Oak Gym membership",
        backgroundColor="rgb(34, 38, 40)", foregroundColor="rgb(255, 255, 255)",
        labelColor="rgb(240, 200, 80)", logoText="Oak Gym", expirationDate="2043-12-31T12:00Z",
        locations=[{"latitude": 38.7223, "longitude": -9.1393,
                    "relevantText": "Hold your card to the turnstile."}],
        barcodes=[{"format": "PKBarcodeFormatQR", "messageEncoding": "iso-8859-1",
                   "message": "OAK-5521-ANA", "altText": "OAK-5521"}],
        generic={
            "headerFields": [field("number", "5521", "Member no.")],
            "primaryFields": [field("member", "Ana Sample", "Member")],
            "secondaryFields": [
                field("plan", "Mornings", "Plan"), field("club", "Lisboa", "Club")],
            "auxiliaryFields": [
                field("until", "2043-12-31T12:00Z", "Valid until", **DAYS)],
            "backFields": [
                field("rules", "Bring a towel and clean shoes.", "House rules"),
                field("classes", "Yoga on Tuesdays, climbing on Thursdays.", "Classes")]}))}


MAILS = [
    ("Nimbus Air", "bookings@nimbus.example", "Your boarding pass to São Paulo",
     "Dear Ana,\n\nyour boarding pass for flight NB 2417 is attached.\nHave a good flight!\n",
     "flight", flight),
    ("Hillside Railway", "tickets@hillside.example", "Your ticket from Hillside to Harbour",
     "Thank you for travelling with us. Your ticket is attached.\n", "train", train),
    ("Lumen Cinema", "tickets@lumen.example", "One seat for The Long Way Home",
     "Row F, seat 12. Please show the attached ticket at the door.\n", "cinema", film),
    ("Corner Roastery", "hello@roastery.example", "Your stamp card",
     "Seven stamps already! Your card is attached.\n", "coffee", cafe),
    ("Oak Gym", "members@oak.example", "Welcome to Oak Gym",
     "Hello Ana,\n\nyour membership card is attached. See you in the morning!\n", "gym", gym),
]
