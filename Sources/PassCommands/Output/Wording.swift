internal import PassModel

/// The style of a pass as a person calls it.
func styleInWords(_ pass: Pass) -> String {
    "Pass"
}

/// What a pass is, in a few words: who issued it, and the way it goes or what it is for.
func headline(_ pass: Pass) -> String {
    let organization = pass.organizationName
    let description = pass.description
    if organization.isEmpty { return description }
    if description.isEmpty { return organization }
    return description.hasPrefix(organization) ? description : "\(organization), \(description)"
}
