/// The text of a barcode that cannot be drawn, on a white panel, to be typed.
struct TextPanel: Sendable, Hashable {
    let lines: [ShownText]

    private static let textSize = 14.0
    private static let lineHeight = 18.0
    private static let padding = 10.0
    /// The maximum number of lines; longer messages are not worth typing.
    private static let linesAtMost = 10

    /// Nil if there is no visible text.
    init?(_ text: String) {
        let shown = ShownText(text)
        if shown.isEmpty { return nil }
        lines = Typesetting.lines(
            of: shown, size: TextPanel.textSize, weight: .regular,
            width: FaceLayout.innerWidth - 2 * TextPanel.padding, atMost: TextPanel.linesAtMost)
    }

    var size: FaceSize {
        FaceSize(
            width: FaceLayout.innerWidth,
            height: Double(lines.count) * TextPanel.lineHeight + 2 * TextPanel.padding)
    }

    /// The elements of the panel with its top left corner at (x, y).
    func elements(x: Double, y: Double) -> [Element] {
        let area = Rectangle(x: x, y: y, width: size.width, height: size.height)
        let texts = lines.enumerated().map { index, text in
            Element.text(
                TextLine(
                    text: text, size: TextPanel.textSize, ink: .black, alignment: .center,
                    width: area.width - 2 * TextPanel.padding, x: x + TextPanel.padding,
                    baseline: y + TextPanel.padding + TextPanel.lineHeight * (Double(index) + 0.75))
            )
        }
        return [.fill(.rounded(area, radius: 5), .white)] + texts
    }
}
