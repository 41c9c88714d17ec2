package import PassModel
package import PassVerification

/// The decoded pictures for the face of a pass.
package struct FacePictures: Sendable {
    /// A picture with its size in points, by the scale of its image.
    struct Sized: Sendable {
        let picture: Picture
        let size: FaceSize
    }

    let logo: Sized?
    let strip: Sized?
    let thumbnail: Sized?
    let footer: Sized?
    /// Blurred, in its original size.
    let background: Sized?
}

extension FacePictures {
    /// Loads the decoders, which may be separate files: for a process that opens no files later.
    package static func prepare() {
        Picture.prepareDecoders()
    }

    /// Decodes the pictures: for a confined process.
    package init(_ images: PassImages?, of pass: Pass, for options: FaceOptions) {
        let style = pass.style ?? .generic
        var source = PictureSource(images: images, options: options)
        logo = source.picture(.logo, width: 160, height: 50)
        let hasStrip = style == .coupon || style == .eventTicket || style == .storeCard
        strip =
            hasStrip ? source.picture(.strip, width: 375, height: 144, covers: true) : nil
        // An event ticket has either a strip, or a background and a thumbnail.
        let hasThumbnail =
            style == .generic || style == .posterGeneric || style == .eventTicket && strip == nil
        thumbnail =
            hasThumbnail ? source.picture(.thumbnail, width: 90, height: 90, covers: true) : nil
        footer = style == .boardingPass ? source.picture(.footer, width: 286, height: 15) : nil
        background =
            style == .eventTicket && strip == nil
            ? source.picture(.background, width: 45, height: 55, covers: true).map {
                let picture = $0.picture
                let radius = max(1, min(picture.width, picture.height) / 24)
                return Sized(picture: picture.blurred(radius: radius), size: $0.size)
            } : nil
    }
}

private struct PictureSource {
    let images: PassImages?
    let options: FaceOptions
    private var work = PictureLimits.work

    init(images: PassImages?, options: FaceOptions) {
        self.images = images
        self.options = options
    }

    /// Decodes one picture, to be shown at most in the given size, in points.
    mutating func picture(
        _ name: PassImageName, width: Double, height: Double, covers: Bool = false
    ) -> FacePictures.Sized? {
        let scale = Double(min(max(options.scale, 1), 3))
        let images = images?.images(name, scale: options.scale, languages: options.languages)
        for image in images.map({ AnySequence($0.prefix(PictureLimits.images)) }) ?? AnySequence([])
        {
            guard
                let picture = Picture(
                    decoding: image.bytes, width: width * scale, height: height * scale,
                    covers: covers, work: &work)
            else { continue }
            return FacePictures.Sized(
                picture: picture,
                size: FaceSize(
                    width: Double(picture.original.width) / Double(image.scale),
                    height: Double(picture.original.height) / Double(image.scale)))
        }
        return nil
    }
}
