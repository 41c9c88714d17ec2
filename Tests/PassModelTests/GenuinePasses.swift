import Foundation
import PassModel
import Testing

/// Real passes, as Python's zipfile and json read them.
struct GenuinePass: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let json: Data
    let strings: [String: Data]
    let images: [String]
    /// The result of Python's json; nil if it fails.
    let value: JSONValue?
    /// Keys of the fields, front to back.
    let fieldKeys: [String]
    /// Seconds since 1970.
    let relevantDate: Double?

    var testDescription: String { name }
    var stringBytes: [String: [UInt8]] { strings.mapValues { [UInt8]($0) } }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/passes").standardized

    static let areHere = [folder.path, python].allSatisfy(FileManager.default.fileExists)

    static let all: [GenuinePass] = {
        guard areHere else { return [] }
        do {
            let output = try run(python, ["-c", reader, folder.path])
            return try JSONDecoder().decode([GenuinePass].self, from: output)
        } catch {
            Issue.record(error)
            return []
        }
    }()
}

/// The standard output of the program.
func run(_ program: String, _ arguments: [String], input: Data = Data()) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let (incoming, outgoing) = (Pipe(), Pipe())
    process.standardInput = incoming
    process.standardOutput = outgoing
    try process.run()
    try incoming.fileHandleForWriting.write(contentsOf: input)
    try incoming.fileHandleForWriting.close()
    let output = try outgoing.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return output
}

private let python = "/usr/bin/python3"

private let reader = """
    import base64, datetime, glob, io, json, os, sys, zipfile
    groups = ['header', 'primary', 'secondary', 'auxiliary', 'additionalInfo', 'back']
    styles = ['boardingPass', 'coupon', 'eventTicket', 'generic', 'storeCard']
    def base64ed(b): return base64.b64encode(b).decode()
    def records(name, data):
        try: archive = zipfile.ZipFile(io.BytesIO(data))
        except zipfile.BadZipFile: return
        names = archive.namelist()
        for inner in names:
            if inner.endswith('.pkpass'): yield from records(name + '!' + inner, archive.read(inner))
        if 'pass.json' not in names: return
        data = archive.read('pass.json')
        try: value = json.loads(data)
        except ValueError: value = None
        style = next((value[s] for s in styles if s in value), {}) if value else {}
        fields = [f for g in groups for f in style.get(g + 'Fields', [])]
        date = (value or {}).get('relevantDate')
        yield {
            'name': name, 'json': base64ed(data), 'value': value,
            'strings': {n.split('.')[0]: base64ed(archive.read(n)) for n in names
                if n.endswith('.lproj/pass.strings') and n.count('/') == 1},
            'images': [n for n in names if n.endswith('.png')],
            'fieldKeys': [f['key'] for f in fields],
            'relevantDate': date and datetime.datetime.fromisoformat(date).timestamp()}
    paths = sorted(glob.glob(os.path.join(sys.argv[1], '*.pkpass*')))
    print(json.dumps([r for p in paths for r in records(os.path.basename(p), open(p, 'rb').read())]))
    """
