/// A path to fill.
struct Outline: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case move(Double, Double)
        case line(Double, Double)
        case curve(Double, Double, Double, Double, Double, Double)
        /// Angles are measured from the x axis, clockwise; anticlockwise if `isBackwards`.
        case arc(x: Double, y: Double, radius: Double, from: Double, to: Double, isBackwards: Bool)
        case close
    }

    var steps: [Step] = []

    static func rectangle(_ area: Rectangle) -> Outline {
        Outline(steps: [
            .move(area.x, area.y), .line(area.maximumX, area.y),
            .line(area.maximumX, area.maximumY), .line(area.x, area.maximumY), .close,
        ])
    }

    static func rounded(_ area: Rectangle, radius: Double) -> Outline {
        var outline = Outline()
        outline.corner(area.maximumX - radius, area.y + radius, radius, quarter: 3)
        outline.corner(area.maximumX - radius, area.maximumY - radius, radius, quarter: 0)
        outline.corner(area.x + radius, area.maximumY - radius, radius, quarter: 1)
        outline.corner(area.x + radius, area.y + radius, radius, quarter: 2)
        outline.steps.append(.close)
        return outline
    }

    static func circle(_ x: Double, _ y: Double, radius: Double) -> Outline {
        Outline(steps: [
            .move(x + radius, y),
            .arc(x: x, y: y, radius: radius, from: 0, to: 2 * .pi, isBackwards: false), .close,
        ])
    }

    static func polygon(_ points: [(Double, Double)]) -> Outline {
        var outline = Outline()
        for (x, y) in points {
            outline.steps.append(outline.steps.isEmpty ? .move(x, y) : .line(x, y))
        }
        outline.steps.append(.close)
        return outline
    }

    mutating func corner(_ x: Double, _ y: Double, _ radius: Double, quarter: Int) {
        let start = Double(quarter) * .pi / 2
        steps.append(
            .arc(x: x, y: y, radius: radius, from: start, to: start + .pi / 2, isBackwards: false))
    }

    static func + (left: Outline, right: Outline) -> Outline {
        Outline(steps: left.steps + right.steps)
    }
}

extension Outline {
    /// Mirrors an outline of straight lines and corners only.
    func mirrored(in width: Double) -> Outline {
        Outline(
            steps: steps.map { step in
                switch step {
                case .move(let x, let y): .move(width - x, y)
                case .line(let x, let y): .line(width - x, y)
                case .curve(let x1, let y1, let x2, let y2, let x3, let y3):
                    .curve(width - x1, y1, width - x2, y2, width - x3, y3)
                case .arc(let x, let y, let radius, let from, let to, let isBackwards):
                    .arc(
                        x: width - x, y: y, radius: radius, from: .pi - from, to: .pi - to,
                        isBackwards: !isBackwards)
                case .close: .close
                }
            })
    }
}
