/// A greyscale image.
package struct Picture {
    package let width: Int
    package let height: Int
    /// Row by row, from 0 for black to 255 for white.
    package private(set) var dots: [UInt8]

    package init(width: Int, height: Int, shade: UInt8 = 255) {
        self.width = width
        self.height = height
        dots = Array(repeating: shade, count: width * height)
    }

    package mutating func fill(x: Int, y: Int, width: Int, height: Int, shade: UInt8) {
        for row in y..<y + height {
            for column in x..<x + width { dots[row * self.width + column] = shade }
        }
    }

    /// As a PGM file.
    var greymap: [UInt8] { Array("P5 \(width) \(height) 255\n".utf8) + dots }
}
