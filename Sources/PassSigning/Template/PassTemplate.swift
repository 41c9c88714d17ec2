internal import Bytes

/// A pass with placeholders, from which the pass of each row of data is made.
///
/// Placeholders are in pass.json, in other JSON files and in `.strings` files, between quotes:
/// - `"{{seat}}"` becomes the text in the column `seat`; `"Row {{row}}, seat {{seat}}"` uses two.
/// - `"{{balance:number}}"` and `"{{voided:boolean}}"` become a number, and true or false.
/// - `"{{gate?}}"` may be missing or empty. In JSON, the member is then left out; with the value of
///   a field the whole field is, and likewise with the message of a barcode, the coordinates of a
///   location and the UUID of a beacon. Within a longer text it becomes empty.
///
/// ```swift
/// let template = try PassTemplate(PassFolder(contentsOf: url))
/// let files = try template.files(for: row)  // ["pass.json": …]
/// ```
public struct PassTemplate: Sendable {
    /// The columns that the placeholders name.
    public let columns: TemplateColumns
    /// The files that are the same in every pass, by path.
    public let shared: [String: [UInt8]]
    /// The paths of the files that differ from row to row.
    public var varying: [String] { templates.map(\.path) }

    private let templates: [(path: String, template: FileTemplate)]
    private let serial: TextPattern
    private let passType: TextPattern?

    /// Reads the files of a folder.
    ///
    /// For example: `let columns = try PassTemplate(folder).columns.mandatory`
    ///
    /// - Throws: ``TemplateError`` if there is no pass.json with a serial number, or a file is
    ///   malformed.
    public init(_ folder: PassFolder) throws(TemplateError) {
        guard let pass = folder.pass else { throw .noPass }
        var columns = TemplateColumns()
        var templates: [(path: String, template: FileTemplate)] = []
        var shared = folder.files

        var json = JSONTemplate(pass, file: "pass.json", columns: columns)
        let template = try json.template()
        columns = json.columns
        guard let serial = json.texts["serialNumber"] else { throw .noSerialNumber }
        self.serial = serial
        passType = json.texts["passTypeIdentifier"]
        if Placeholder.isIn(pass) {
            templates.append(("pass.json", template))
            shared["pass.json"] = nil
        }
        for path in folder.files.keys.sorted() where path != "pass.json" {
            guard let bytes = folder.files[path] else { continue }
            if path.utf8.hasSuffix(".json"), Placeholder.isIn(bytes) {
                var json = JSONTemplate(bytes, file: path, columns: columns)
                templates.append((path, try json.template()))
                columns = json.columns
            } else if path.utf8.hasSuffix(".strings") {
                let text = utf8(bytes)
                guard Placeholder.isIn(text) else { continue }
                var strings = StringsTemplate(text, file: path, columns: columns)
                templates.append((path, try strings.template()))
                columns = strings.columns
            } else {
                continue
            }
            shared[path] = nil
        }
        self.columns = columns
        self.templates = templates
        self.shared = shared
    }

    /// Checks the header of the data, before the first pass is made.
    ///
    /// ```swift
    /// let template = try PassTemplate(folder)
    /// if let header = try RowFile(contentsOf: url).reader().columns { try template.check(header) }
    /// ```
    ///
    /// - Parameters:
    ///   - header: The columns of the data.
    ///   - name: Its columns are mandatory as well.
    /// - Throws: ``TemplateError/missingColumns(_:)`` if the header lacks mandatory columns.
    public func check(
        _ header: RowColumns, namingFilesBy name: OutputName = .serialNumber
    ) throws(TemplateError) {
        let needed = columns.mandatory + name.columns.mandatory
        let missing = needed.filter { header.index(of: $0) == nil }
        guard missing.isEmpty else { throw .missingColumns(missing) }
    }

    /// The files of a row's pass that are not shared, by path.
    ///
    /// ```swift
    /// let template = try PassTemplate(folder)
    /// let own = try template.files(for: row, images: ImageFolder(url))
    /// let files = template.shared.merging(own) { _, own in own }
    /// ```
    ///
    /// - Parameters:
    ///   - row: The values of the pass.
    ///   - images: Where the row's images are; nil to ignore columns of images. A row's image
    ///     replaces a shared one.
    /// - Throws: ``RowFault`` if a value is missing or has another type, or an image is unusable.
    public func files(
        for row: TemplateRow, images: ImageFolder? = nil
    ) throws(RowFault) -> [String: [UInt8]] {
        let values = try columns.values(of: row)
        var files = try images?.files(for: row) ?? [:]
        for (path, template) in templates {
            files[path] = try template.file(for: values, names: columns.names)
        }
        return files
    }

    /// The serial number of a row's pass.
    ///
    /// For example: `let serialNumber = try PassTemplate(folder).serialNumber(for: row)`
    ///
    /// - Throws: ``RowFault`` if a value is missing, or the serial number is empty or has a long run
    ///   of combining marks.
    public func serialNumber(for row: TemplateRow) throws(RowFault) -> String {
        let serial = serial.text(for: try columns.values(of: row))
        guard !serial.isEmpty else { throw .noSerialNumber }
        return try identifier(serial)
    }

    /// The pass type of a row's pass; nil if pass.json has no text for it.
    ///
    /// ```swift
    /// let type = try PassTemplate(folder).passTypeIdentifier(for: row)
    /// let isOurs = type == identity.passTypeIdentifier
    /// ```
    ///
    /// - Throws: ``RowFault`` if a value is missing, or has a long run of combining marks.
    public func passTypeIdentifier(for row: TemplateRow) throws(RowFault) -> String? {
        guard let passType else { return nil }
        return try identifier(passType.text(for: try columns.values(of: row)))
    }
}

/// Refuses a long run of combining marks. Shortened, two different identifiers could become equal.
private func identifier(_ bytes: [UInt8]) throws(RowFault) -> String {
    guard !StreamSafeText.hasLongRun(bytes.span) else { throw .longCombiningRun }
    return String(streamSafe: bytes)
}

/// The text of a `.strings` file, which may be UTF-16 (with or without a byte order mark).
private func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let mark = ByteOrderMark(bytes)
    let isBigEndian: Bool
    switch mark {
    case .utf16BigEndian: isBigEndian = true
    case .utf16LittleEndian: isBigEndian = false
    case .utf8: return Array(bytes.dropFirst(3))
    case nil:
        guard bytes.count >= 2, (bytes[0] == 0) != (bytes[1] == 0) else { return bytes }
        isBigEndian = bytes[0] == 0
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: mark == nil ? 0 : 2, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    var text: [UInt8] = []
    _ = transcode(
        units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false
    ) { text.append($0) }
    return text
}

extension String.UTF8View {
    fileprivate func hasSuffix(_ ending: String) -> Bool {
        suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
}
