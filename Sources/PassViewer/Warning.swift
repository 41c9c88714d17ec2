internal import CGTK
internal import Localization
internal import PassVerification

/// The warning before adding a pass that is unsigned or whose signer is not trusted.
@MainActor
final class Warning {
    let addButton = Button(localized("Add Any_way")).classed("destructive-action")
    let keepOutButton = Button(localized("_Do Not Add"))
    let widget: Box

    init(about proposal: Proposal) {
        let title =
            proposal.verdict == .unsigned
            ? localized("This pass is not signed: anyone could have made it.")
            : localized("The signer of this pass is not trusted.")
        let advice = localized(
            "Add it only if you know who gave it to you. It stays marked in the library.")
        let icon = Icon("dialog-warning-symbolic", size: 48)
        widget = Box(
            GTK_ORIENTATION_VERTICAL, spacing: 16,
            [icon, Label(title).centred().classed("title-4"), Label(advice).centred()])
        widget.append(keepOutButton)
        widget.append(addButton)
        widget.margin(24).aligned(vertically: GTK_ALIGN_CENTER)
    }
}
