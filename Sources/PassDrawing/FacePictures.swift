package import PassModel
package import PassVerification

/// The pictures that the face of a pass has, decoded.
package struct FacePictures: Sendable {
    /// With the size that its scale gives it, in points.
    struct Sized: Sendable {
        let picture: Picture
        let size: FaceSize
    }

    let logo: Sized?
    let strip: Sized?
    let thumbnail: Sized?
    let footer: Sized?
    /// Blurred, as large as it was made.
    let background: Sized?
}

extension FacePictures {
    /// Loads what decodes them, which may be files of their own: for a process that opens none later.
    package static func prepare() {
        Picture.prepareDecoders()
    }

    /// Decodes them: for a process that can do nothing else.
    package init(_ images: PassImages?, of pass: Pass, for options: FaceOptions) {
        let style = pass.style ?? .generic
        var source = PictureSource(images: images, options: options)
        logo = source.picture(.logo, width: 160, height: 50)
        let hasStrip = style == .coupon || style == .eventTicket || style == .storeCard
        strip =
            hasStrip ? source.picture(.strip, width: 375, height: 144, covers: true) : nil
        // An event ticket has a strip, or a background and a thumbnail.
        let hasThumbnail = style == .generic || style == .eventTicket && strip == nil
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

    /// In points, how large it will be shown at most.
    mutating func picture(
        _ kind: PassImages.Kind, width: Double, height: Double, covers: Bool = false
    ) -> FacePictures.Sized? {
        let scale = Double(min(max(options.scale, 1), 3))
        let images = images?.images(kind, scale: options.scale, languages: options.languages)
        // No pass has more of one kind for good: three scales, in two folders.
        for image in images.map({ AnySequence($0.prefix(6)) }) ?? AnySequence([]) {
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
