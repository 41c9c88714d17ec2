extension Picture {
    /// The picture blurred: three box blurs approximate a Gaussian blur.
    func blurred(radius: Int) -> Picture {
        var pixels = pixels
        for _ in 0..<3 {
            pixels = meansOfRows(pixels, width: width, height: height, radius: radius)
            pixels = transposed(pixels, width: width, height: height)
            pixels = meansOfRows(pixels, width: height, height: width, radius: radius)
            pixels = transposed(pixels, width: height, height: width)
        }
        return Picture(width: width, height: height, pixels: pixels, original: original)
            ?? self
    }
}

/// A horizontal box blur. Beyond an edge, the pixel at the edge is repeated.
private func meansOfRows(_ pixels: [UInt32], width: Int, height: Int, radius: Int) -> [UInt32] {
    var means = pixels
    let count = UInt32(2 * radius + 1)
    for y in 0..<height {
        let row = y * width
        func pixel(_ x: Int) -> UInt32 { pixels[row + min(max(x, 0), width - 1)] }
        var sums: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        for x in -radius...radius {
            let value = pixel(x)
            sums.0 += value >> 24
            sums.1 += value >> 16 & 0xFF
            sums.2 += value >> 8 & 0xFF
            sums.3 += value & 0xFF
        }
        for x in 0..<width {
            means[row + x] =
                (sums.0 / count) << 24 | (sums.1 / count) << 16 | (sums.2 / count) << 8
                | (sums.3 / count)
            let (new, old) = (pixel(x + radius + 1), pixel(x - radius))
            sums.0 = sums.0 + (new >> 24) - (old >> 24)
            sums.1 = sums.1 + (new >> 16 & 0xFF) - (old >> 16 & 0xFF)
            sums.2 = sums.2 + (new >> 8 & 0xFF) - (old >> 8 & 0xFF)
            sums.3 = sums.3 + (new & 0xFF) - (old & 0xFF)
        }
    }
    return means
}

private func transposed(_ pixels: [UInt32], width: Int, height: Int) -> [UInt32] {
    var turned = pixels
    for y in 0..<height {
        for x in 0..<width { turned[x * height + y] = pixels[y * width + x] }
    }
    return turned
}
