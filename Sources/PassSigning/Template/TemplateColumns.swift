/// The columns that a template uses.
///
/// ```swift
/// let columns = try PassTemplate(folder).columns
/// let missing = Set(columns.mandatory).subtracting(row.columns.names)
/// ```
public struct TemplateColumns: Sendable, Hashable {
    /// The columns that a row must have a value for, in the order of their first use.
    public var mandatory: [String] { names.indices.filter { isMandatory[$0] }.map { names[$0] } }
    /// The other ones.
    public var optional: [String] { names.indices.filter { !isMandatory[$0] }.map { names[$0] } }

    private(set) var names: [String] = []
    private(set) var isMandatory: [Bool] = []
    private var indices: [String: Int] = [:]

    /// The place of the column of a placeholder, which is added if it is new.
    mutating func index(of placeholder: Placeholder) -> Int {
        if let index = indices[placeholder.column] {
            isMandatory[index] = isMandatory[index] || !placeholder.isOptional
            return index
        }
        indices[placeholder.column] = names.count
        names.append(placeholder.column)
        isMandatory.append(!placeholder.isOptional)
        return names.count - 1
    }

    /// The values of a row for each column.
    func values(of row: TemplateRow) throws(RowFault) -> RowValues {
        var places: [Int] = []
        places.reserveCapacity(names.count)
        for (index, name) in names.enumerated() {
            let place = row.columns.index(of: name) ?? -1
            guard !isMandatory[index] || row.value(at: place) != nil else {
                throw .missing(column: name)
            }
            places.append(place)
        }
        return RowValues(row: row, places: places)
    }
}

/// A row as a template sees it.
struct RowValues {
    fileprivate let row: TemplateRow
    /// The column of the row for each column of the template; -1 if the row lacks it.
    fileprivate let places: [Int]

    /// Nil if the value is missing or empty.
    subscript(column: Int) -> ArraySlice<UInt8>? { row.value(at: places[column]) }
}
