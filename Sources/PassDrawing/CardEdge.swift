import Foundation
import PassModel

/// The outline of the card, which differs by pass style.
struct CardEdge: Sendable {
    let style: PassStyle
    let size: FaceSize
    /// The vertical position of the notches of a boarding pass.
    let notchesAt: Double

    private static let radius = 12.0

    var outline: Outline {
        switch style {
        case .boardingPass: notched
        case .coupon: perforated
        case .eventTicket: cutOut
        case .generic, .posterGeneric, .storeCard:
            .rounded(
                Rectangle(x: 0, y: 0, width: size.width, height: size.height),
                radius: CardEdge.radius)
        }
    }

    /// A boarding pass: a semicircular notch on both sides below the upper part.
    private var notched: Outline {
        let (radius, notch) = (CardEdge.radius, 6.0)
        let (right, bottom) = (size.width, size.height)
        var outline = Outline()
        outline.corner(right - radius, radius, radius, quarter: 3)
        outline.steps.append(
            .arc(
                x: right, y: notchesAt, radius: notch, from: 1.5 * .pi, to: 0.5 * .pi,
                isBackwards: true))
        outline.corner(right - radius, bottom - radius, radius, quarter: 0)
        outline.corner(radius, bottom - radius, radius, quarter: 1)
        outline.steps.append(
            .arc(
                x: 0, y: notchesAt, radius: notch, from: 0.5 * .pi, to: -0.5 * .pi,
                isBackwards: true))
        outline.corner(radius, radius, radius, quarter: 2)
        outline.steps.append(.close)
        return outline
    }

    /// An event ticket: a circular cut-out at the top centre, like a torn-off stub.
    private var cutOut: Outline {
        let radius = CardEdge.radius
        let (right, bottom) = (size.width, size.height)
        let (centre, cut) = (-9.0, 24.0)
        let angle = asin(-centre / cut)
        var outline = Outline()
        outline.corner(radius, radius, radius, quarter: 2)
        outline.steps.append(
            .arc(
                x: right / 2, y: centre, radius: cut, from: .pi - angle, to: angle,
                isBackwards: true))
        outline.corner(right - radius, radius, radius, quarter: 3)
        outline.corner(right - radius, bottom - radius, radius, quarter: 0)
        outline.corner(radius, bottom - radius, radius, quarter: 1)
        outline.steps.append(.close)
        return outline
    }

    /// A coupon: a toothed top and bottom edge, like a torn-out voucher.
    private var perforated: Outline {
        let teeth = 60
        let (tooth, depth) = (size.width / Double(teeth), 3.5)
        var points: [(Double, Double)] = [(0, depth)]
        for index in 0..<teeth {
            let x = Double(index) * tooth
            points += [(x + tooth / 2, 0), (x + tooth, depth)]
        }
        points.append((size.width, size.height - depth))
        for index in 0..<teeth {
            let x = size.width - Double(index) * tooth
            points += [(x - tooth / 2, size.height), (x - tooth, size.height - depth)]
        }
        return .polygon(points)
    }
}
