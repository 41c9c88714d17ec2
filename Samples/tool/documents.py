"""The contents of the sample passes. Every company is invented."""

import json

from .images import png

TEAM = "SAMPLE0001"

AIRLINE = "pass.example.nimbus"
RAILWAY = "pass.example.hillside"
CINEMA = "pass.example.lumen"
CAFE = "pass.example.roastery"
SHOP = "pass.example.fern"
GYM = "pass.example.oak"
TRAM = "pass.example.tram"


def write(document):
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"


def strings(pairs, encoding="utf-8"):
    text = "".join(f'"{key}" = "{value}";\n' for key, value in pairs.items())
    return text.encode(encoding)


def field(key, value, label=None, **more):
    return {"key": key, **({"label": label} if label else {}), "value": value, **more}


def head(pass_type, serial, organization, description, **more):
    return {
        "formatVersion": 1, "passTypeIdentifier": pass_type, "serialNumber": serial,
        "teamIdentifier": TEAM, "organizationName": organization, "description": description,
        **more,
    }


def pictures(top, bottom, *more):
    """The icon, the logo and the named images, each in two sizes."""
    sizes = {"icon": (29, 29), "logo": (80, 25), "strip": (187, 62), "thumbnail": (45, 45),
             "footer": (143, 8), "background": (90, 110)}
    files = {}
    for name in ("icon", "logo", *more):
        width, height = sizes[name]
        files[f"{name}.png"] = png(width, height, top, bottom)
        files[f"{name}@2x.png"] = png(width * 2, height * 2, top, bottom)
    return files


def flight(gate="4"):
    document = head(
        AIRLINE, "NB-2417-ANA-12A", "Nimbus Air", "Nimbus Air boarding pass",
        backgroundColor="rgb(12, 74, 140)", foregroundColor="rgb(255, 255, 255)",
        labelColor="rgb(190, 215, 240)", logoText="Nimbus Air",
        relevantDate="2024-06-01T14:25+01:00", expirationDate="2044-06-02T00:00:00Z",
        webServiceURL="https://passes.nimbus.example/wallet",
        authenticationToken="sample-token-0123456789",
        locations=[{"latitude": 38.7742, "longitude": -9.1342, "relevantText": "airport"}],
        barcodes=[
            {"format": "PKBarcodeFormatAztec", "messageEncoding": "iso-8859-1",
             "message": "M1SAMPLE/ANA         ENB2417 LISGRUNB 2417 153Y012A0031 100",
             "altText": "NB 2417 12A"},
            {"format": "PKBarcodeFormatQR", "messageEncoding": "iso-8859-1",
             "message": "NB2417-ANA-12A"}],
        boardingPass={
            "transitType": "PKTransitTypeAir",
            "headerFields": [field("gate", gate, "gate", changeMessage="gate_changed")],
            "primaryFields": [field("from", "LIS", "Lisboa"), field("to", "GRU", "São Paulo")],
            "secondaryFields": [
                field("passenger", "Ana Sample", "passenger"),
                field("departs", "2024-06-01T14:25+01:00", "departs",
                      dateStyle="PKDateStyleShort", timeStyle="PKDateStyleShort",
                      ignoresTimeZone=True)],
            "auxiliaryFields": [
                field("seat", "12A", "seat"), field("class", "Economy", "class"),
                field("group", 2, "group", numberStyle="PKNumberStyleDecimal")],
            "backFields": [
                field("terms", "terms_text", "terms"),
                field("phone", "+351 210 000 000", "phone",
                      dataDetectorTypes=["PKDataDetectorTypePhoneNumber"]),
                field("web", "https://nimbus.example/", "web",
                      attributedValue="<a href='https://nimbus.example/'>nimbus.example</a>")]})
    english = {
        "gate": "Gate", "passenger": "Passenger", "departs": "Departs", "seat": "Seat",
        "class": "Class", "group": "Group", "terms": "Conditions",
        "airport": "You are at the airport",
        "gate_changed": "Your gate is now %@", "phone": "Telephone", "web": "Web",
        "terms_text": "Be at the gate 30 minutes before departure."}
    portuguese = {
        "gate": "Portão", "passenger": "Passageiro", "departs": "Partida", "seat": "Assento",
        "class": "Classe", "group": "Grupo", "terms": "Condições",
        "airport": "Você está no aeroporto",
        "gate_changed": "Seu portão agora é %@", "phone": "Telefone", "web": "Site",
        "terms_text": "Esteja no portão 30 minutos antes da partida."}
    korean = {
        "gate": "탑승구", "passenger": "승객", "departs": "출발", "seat": "좌석", "class": "등급",
        "group": "그룹", "terms": "약관", "airport": "공항에 도착했습니다", "phone": "전화",
        "web": "웹", "gate_changed": "탑승구가 %@(으)로 변경되었습니다",
        "terms_text": "출발 30분 전까지 탑승구로 오십시오."}
    russian = {
        "gate": "Выход", "passenger": "Пассажир", "departs": "Вылет", "seat": "Место",
        "class": "Класс", "group": "Группа", "terms": "Условия", "airport": "Вы в аэропорту",
        "gate_changed": "Ваш выход теперь %@", "phone": "Телефон", "web": "Сайт",
        "terms_text": "Будьте у выхода за 30 минут до вылета."}
    return {
        "pass.json": write(document), **pictures((12, 74, 140), (120, 180, 230), "footer"),
        "en.lproj/pass.strings": strings(english),
        "pt-BR.lproj/pass.strings": strings(portuguese),
        "ko.lproj/pass.strings": strings(korean, "utf-16"),
        "ru.lproj/pass.strings": b"\xfe\xff" + strings(russian, "utf-16-be")}


def train():
    return {
        "pass.json": write(head(
            RAILWAY, "HR-88-1003", "Hillside Railway", "Ticket Hillside to Harbour",
            backgroundColor="rgb(30, 90, 50)", foregroundColor="rgb(255, 255, 255)",
            relevantDate="2024-07-12T08:10:00+02:00",
            barcodes=[{"format": "PKBarcodeFormatPDF417", "messageEncoding": "iso-8859-1",
                       "message": "HR|88|1003|2ND|HILLSIDE|HARBOUR"}],
            boardingPass={
                "transitType": "PKTransitTypeTrain",
                "primaryFields": [
                    field("from", "Hillside", "8:10"), field("to", "Harbour", "9:42")],
                "secondaryFields": [field("coach", 7, "Coach"), field("seat", "41", "Seat")],
                "auxiliaryFields": [field("fare", 23.5, "Fare", currencyCode="EUR")],
                "backFields": [field("note", "Valid in the train named only.", "Note")]})),
        **pictures((30, 90, 50), (150, 200, 120))}


def film():
    document = head(
        CINEMA, "LC-20240518-F12", "Lumen Cinema", "Cinema ticket: The Long Way Home",
        backgroundColor="rgb(60, 20, 60)", foregroundColor="rgb(255, 240, 220)",
        groupingIdentifier="lumen-2024-05-18", relevantDate="2024-05-18T20:30-03:00",
        barcodes=[{"format": "PKBarcodeFormatQR", "messageEncoding": "utf-8",
                   "message": "LUMEN:20240518:F12:Ação"}],
        eventTicket={
            "headerFields": [field("hall", "Hall 3", "hall")],
            "primaryFields": [field("film", "The Long Way Home", "film")],
            "secondaryFields": [
                field("begins", "2024-05-18T20:30-03:00", "begins",
                      dateStyle="PKDateStyleMedium", timeStyle="PKDateStyleShort")],
            "auxiliaryFields": [field("row", "F", "row"), field("seat", 12, "seat")],
            "backFields": [field("address", "12 Sample Street", "address")]})
    return {
        "pass.json": write(document), **pictures((60, 20, 60), (220, 140, 90), "strip"),
        "en.lproj/pass.strings": strings(
            {"hall": "Hall", "film": "Film", "begins": "Begins", "row": "Row", "seat": "Seat",
             "address": "Address"}),
        "pt-BR.lproj/pass.strings": strings(
            {"hall": "Sala", "film": "Filme", "begins": "Início", "row": "Fila",
             "seat": "Poltrona", "address": "Endereço"})}


def cafe():
    return {
        "pass.json": write(head(
            CAFE, "CARD-000451", "Corner Roastery", "Corner Roastery card",
            backgroundColor="rgb(90, 55, 30)", foregroundColor="rgb(255, 250, 240)",
            locations=[{"latitude": 37.5665, "longitude": 126.978}], maxDistance=200,
            barcodes=[{"format": "PKBarcodeFormatCode128", "messageEncoding": "iso-8859-1",
                       "message": "000451", "altText": "000451"}],
            storeCard={
                "headerFields": [field("balance", 21500, "balance", currencyCode="KRW")],
                "primaryFields": [field("stamps", "7 / 10", "stamps")],
                "secondaryFields": [field("level", "Regular", "level")],
                "backFields": [field("terms", "Ten stamps, one coffee.", "Terms")]})),
        **pictures((90, 55, 30), (210, 170, 120), "strip"),
        "ko.lproj/pass.strings": strings({"balance": "잔액", "stamps": "도장", "level": "등급"})}


def coupon():
    return {
        "pass.json": write(head(
            SHOP, "FERN-SPRING-7", "Fern & Fold", "20 % off at Fern & Fold",
            backgroundColor="#2e7d32", foregroundColor="rgb(255, 255, 255)",
            expirationDate="2024-05-31",
            barcode={"format": "PKBarcodeFormatPDF417", "messageEncoding": "iso-8859-1",
                     "message": "FERN20-7"},
            coupon={
                "primaryFields": [
                    field("offer", 0.2, "off everything", numberStyle="PKNumberStylePercent")],
                "auxiliaryFields": [
                    field("until", "2024-05-31", "Until", dateStyle="PKDateStyleShort")],
                "backFields": [field("shops", "All shops and fern.example", "Where")]})),
        **pictures((46, 125, 50), (200, 230, 180), "strip")}


def gym():
    return {
        "pass.json": write(head(
            GYM, "OAK-5521", "Oak Gym", "Oak Gym membership",
            backgroundColor="rgb(40, 40, 40)", foregroundColor="rgb(240, 200, 80)",
            barcodes=[{"format": "PKBarcodeFormatQR", "messageEncoding": "iso-8859-1",
                       "message": "OAK-5521"}],
            beacons=[{"proximityUUID": "0F4D2A5C-8E0B-4C61-9E0C-6D1B7A2F3E10", "major": 1}],
            generic={
                "primaryFields": [field("member", "Ana Sample", "Member")],
                "secondaryFields": [
                    field("since", "2021-03-01T00:00:00Z", "Since", dateStyle="PKDateStyleLong")],
                "auxiliaryFields": [field("plan", "Mornings", "Plan")],
                "backFields": [field("rules", "Bring a towel.", "Rules")]})),
        **pictures((40, 40, 40), (240, 200, 80), "thumbnail")}


def tram(serial="T1", **more):
    """A minimal pass, for mails that people read."""
    document = head(
        TRAM, serial, "Sample Tram", "Tram ticket",
        generic={"primaryFields": [field("zone", "A", "Zone")]}, **more)
    return {"pass.json": json.dumps(document, ensure_ascii=False).encode(),
            "icon.png": png(4, 4, (200, 40, 40), (200, 40, 40))}
