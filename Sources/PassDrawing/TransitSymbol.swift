import PassModel

/// The symbol between origin and destination, in a square of 24 points.
enum TransitSymbol {
    /// Filled by the even-odd rule, so that inner shapes are holes.
    static func outline(of type: TransitType) -> Outline {
        switch type {
        case .air: plane
        case .boat: boat
        case .bus: bus
        case .train: train
        case .generic: arrow
        }
    }

    private static let plane = Outline(steps: [
        .move(22.5, 12), .curve(22.5, 10.9, 20.8, 10.3, 19.2, 10.3), .line(14.8, 10.3),
        .line(9.6, 2.2), .line(7, 2.2), .line(9.6, 10.3), .line(5, 10.3), .line(3, 7.6),
        .line(1.2, 7.6), .line(2.4, 12), .line(1.2, 16.4), .line(3, 16.4), .line(5, 13.7),
        .line(9.6, 13.7), .line(7, 21.8), .line(9.6, 21.8), .line(14.8, 13.7), .line(19.2, 13.7),
        .curve(20.8, 13.7, 22.5, 13.1, 22.5, 12), .close,
    ])

    private static let boat =
        Outline.polygon([(2, 14), (22, 14), (18.5, 20), (5.5, 20)])
        + Outline.rectangle(Rectangle(x: 6, y: 8.5, width: 12, height: 4.5))
        + Outline.rectangle(Rectangle(x: 9, y: 3, width: 3, height: 5.5))
        + Outline.circle(9, 10.75, radius: 1) + Outline.circle(12, 10.75, radius: 1)
        + Outline.circle(15, 10.75, radius: 1)

    private static let bus =
        Outline.rounded(Rectangle(x: 4, y: 2.5, width: 16, height: 16.5), radius: 2.5)
        + Outline.rectangle(Rectangle(x: 6, y: 5.5, width: 12, height: 6.5))
        + Outline.circle(7.5, 15.5, radius: 1.3) + Outline.circle(16.5, 15.5, radius: 1.3)
        + Outline.rectangle(Rectangle(x: 5.5, y: 19, width: 3, height: 2.5))
        + Outline.rectangle(Rectangle(x: 15.5, y: 19, width: 3, height: 2.5))

    private static let train =
        Outline.rounded(Rectangle(x: 5, y: 2, width: 14, height: 16), radius: 4)
        + Outline.rounded(Rectangle(x: 7.5, y: 6, width: 9, height: 5), radius: 1)
        + Outline.circle(8.5, 14.5, radius: 1.2) + Outline.circle(15.5, 14.5, radius: 1.2)
        + Outline.polygon([(7.5, 18), (9.8, 18), (7, 22), (4.7, 22)])
        + Outline.polygon([(14.2, 18), (16.5, 18), (19.3, 22), (17, 22)])

    private static let arrow = Outline.polygon([
        (2, 10.8), (17, 10.8), (12.8, 6.6), (14.5, 4.9), (21.6, 12), (14.5, 19.1), (12.8, 17.4),
        (17, 13.2), (2, 13.2),
    ])
}
