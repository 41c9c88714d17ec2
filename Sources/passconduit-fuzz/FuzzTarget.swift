import Glibc

/// The fuzz targets, selected by name with an environment variable.
enum FuzzTarget: String, CaseIterable {
    case mime, mbox, headers, base64, uuencode, zip
    case passJSON = "pass-json"
    case passStrings = "pass-strings"
    case cms, manifest, anchors, tnef, compression, tar, archive
    case cmsContent = "cms-content"
    case macFile = "mac"
    case links, outlook
    case mailForms = "mail-forms"

    static let variable = "PASSCONDUIT_FUZZ"

    /// The target in the environment; ends the process if there is none.
    static let chosen: FuzzTarget = {
        let name = unsafe getenv(variable).map { unsafe String(cString: $0) }
        if let target = name.flatMap(FuzzTarget.init) { return target }
        let names = allCases.map(\.rawValue).joined(separator: " ")
        stop("set \(variable) to one of: \(names)")
    }()

    func run(_ input: Input) {
        switch self {
        case .mime: fuzzMIME(input)
        case .mbox: fuzzMbox(input)
        case .headers: fuzzHeaders(input)
        case .base64: fuzzBase64(input)
        case .uuencode: fuzzBodyDecoder(input)
        case .zip: fuzzZip(input)
        case .passJSON: fuzzPassJSON(input)
        case .passStrings: fuzzPassStrings(input)
        case .cms: fuzzSignature(input)
        case .manifest: fuzzManifest(input)
        case .anchors: fuzzAnchors(input)
        case .tnef: fuzzTNEF(input)
        case .compression: fuzzCompression(input)
        case .tar: fuzzTar(input)
        case .archive: fuzzArchive(input)
        case .cmsContent: fuzzCMSContent(input)
        case .macFile: fuzzMacFile(input)
        case .links: fuzzLinks(input)
        case .outlook: fuzzOutlook(input)
        case .mailForms: fuzzMailForms(input)
        }
    }
}
