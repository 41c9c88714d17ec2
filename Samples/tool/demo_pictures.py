"""The images in the demo's passes, as drawings."""

import math

from .drawing import Canvas, Placed, box, curve, ellipse, stroke

WHITE = (255, 255, 255)

NIMBUS, NIMBUS_LIGHT = (12, 74, 140), (150, 200, 240)
HILLSIDE, HILLSIDE_LIGHT, SUN = (24, 84, 52), (134, 190, 106), (250, 204, 80)
LUMEN, AMBER, CREAM = (52, 22, 62), (240, 168, 72), (255, 240, 220)
ROASTERY, FOAM, CARAMEL = (84, 50, 30), (250, 240, 224), (200, 148, 92)
OAK, GOLD, LEAF = (34, 38, 40), (240, 200, 80), (96, 150, 84)


def sized(name, width, height, draw, scales=(1, 2, 3), ground=None):
    """The files of one image, drawn on a canvas of this many points at each scale."""
    files = {}
    for scale in scales:
        canvas = Canvas(width, height, scale, ground)
        draw(canvas)
        files[f"{name}{f'@{scale}x' if scale > 1 else ''}.png"] = canvas.png()
    return files


def with_icon(logo, ground, x, y, size):
    """The icon: the logo, moved and scaled on a background in the brand's colour."""
    return sized("icon", 29, 29, lambda canvas: logo(Placed(canvas, x, y, size)), ground=ground)


def nimbus():
    def logo(canvas):
        """A paper plane in front of a cloud."""
        for circle in (ellipse(15, 28, 11), ellipse(28, 20, 15), ellipse(44, 28, 11)):
            canvas.fill(WHITE, circle)
        canvas.fill(WHITE, box(15, 25, 29, 14))
        canvas.fill(NIMBUS, [(12, 25), (46, 12), (35, 34), (27, 29.5)])
        canvas.fill(NIMBUS_LIGHT, [(24, 28), (46, 12), (27, 29.5), (25, 36)])

    def footer(canvas):
        """Clouds from above, and the route of the plane."""
        for x, size in ((14, 0.7), (62, 1.0), (118, 0.8), (171, 1.1), (226, 0.8), (268, 0.9)):
            for dx, radius in ((-17, 6), (0, 9), (16, 6.5)):
                canvas.fill((58, 118, 180), ellipse(x + dx * size, 16, radius * size))
        for dash in range(0, 286, 9):
            canvas.fill(NIMBUS_LIGHT, box(dash, 2, 5, 1, 0.5))
        canvas.fill(WHITE, [(132, 4.5), (150, 1.5), (143, 8), (139, 5.6)])

    return {**with_icon(logo, NIMBUS, 2.5, 1.5, 0.43), **sized("logo", 56, 40, logo),
            **sized("footer", 286, 15, footer)}


def hillside():
    def logo(canvas):
        """Two hills, the sun, and a track that winds between them."""
        canvas.fill(SUN, ellipse(37, 13, 9))
        canvas.fill((88, 150, 84), curve((20, 38), (28, 22), (38, 8), (56, 38)) + [(20, 38)])
        canvas.fill(HILLSIDE_LIGHT, curve((0, 38), (10, 14), (26, 10), (40, 38)) + [(0, 38)])
        track = curve((24, 38), (34, 32), (14, 30), (20, 22))
        canvas.fill(WHITE, stroke(track, 5.5, 1.2))
        canvas.fill(HILLSIDE_LIGHT, stroke(track, 2.4, 0.3))

    def footer(canvas):
        """A moving train."""
        canvas.fill(HILLSIDE_LIGHT, box(0, 13, 286, 1.2))
        for sleeper in range(2, 286, 6):
            canvas.fill(HILLSIDE_LIGHT, box(sleeper, 13, 2.5, 2))
        for coach in range(3):
            canvas.fill(WHITE, box(98 + coach * 31, 2, 29, 10, 1.5))
            for window in range(4):
                canvas.fill(HILLSIDE, box(101 + coach * 31 + window * 6, 4, 4.5, 3.5, 0.8))
        front = curve((191, 2), (203, 2), (210, 6), (213, 12)) + [(191, 12)]
        canvas.fill(WHITE, front)
        canvas.fill(HILLSIDE, curve((198, 4), (202, 4), (204, 5), (206, 7.5)) + [(198, 7.5)])
        canvas.fill(SUN, box(98, 9, 113.5, 1))

    return {**with_icon(logo, HILLSIDE, 1.5, 4, 0.46), **sized("logo", 56, 40, logo),
            **sized("footer", 286, 15, footer)}


def lumen():
    def logo(canvas):
        """A reel of film."""
        holes = [ellipse(20 + 10.5 * math.cos(angle), 20 + 10.5 * math.sin(angle), 4.6)
                 for angle in (math.radians(-90 + 72 * hole) for hole in range(5))]
        canvas.fill(AMBER, ellipse(20, 20, 19), *holes, ellipse(20, 20, 2.4))
        canvas.fill(AMBER, box(20, 36.4, 26, 2.6))

    def strip(canvas):
        """A road at night to a house with a light in its window."""
        for x, y, radius in ((22, 14, 0.9), (64, 8, 0.7), (105, 22, 0.8), (150, 10, 1.1),
                             (183, 27, 0.7), (214, 12, 0.9), (246, 22, 0.8), (276, 9, 0.7),
                             (345, 12, 1.0), (362, 34, 0.7), (322, 40, 0.7), (90, 40, 0.6)):
            canvas.fill(CREAM, ellipse(x, y, radius))
        canvas.fill(CREAM, ellipse(306, 24, 15))
        canvas.fill((232, 212, 190), ellipse(301, 20, 3.4))
        canvas.fill((232, 212, 190), ellipse(311, 29, 2.3))
        canvas.fill((96, 48, 104), curve(
            (0, 74), (60, 44), (110, 56), (170, 66), (230, 76), (270, 40), (375, 58),
            ) + [(375, 98), (0, 98)])
        canvas.fill((74, 34, 84), curve(
            (0, 88), (70, 66), (150, 92), (220, 80), (270, 70), (320, 52), (375, 70),
            ) + [(375, 98), (0, 98)])
        road = curve((190, 106), (262, 88), (238, 82), (262, 78), (288, 74), (300, 70), (296, 64.5))
        canvas.fill(AMBER, stroke(road, 15, 1.4))
        canvas.fill(CREAM, stroke(road, 1.6, 0.2))
        for outline in (
                box(288, 51, 19, 13), [(285, 52), (297.5, 42), (310, 52)], box(301, 42.5, 3, 6)):
            canvas.fill((34, 12, 42), outline)
        canvas.fill((255, 214, 120), box(292, 54.5, 5, 5))
        canvas.fill((34, 12, 42), box(294.2, 54.5, 0.6, 5))
        canvas.fill((255, 214, 120), box(300, 56, 4, 8))
        for x, y, size in ((326, 63, 1.0), (337, 66, 1.3), (350, 68, 0.9), (268, 70, 0.8)):
            canvas.fill((34, 12, 42), [(x - 5 * size, y), (x, y - 17 * size), (x + 5 * size, y)])

    return {**with_icon(logo, LUMEN, 3, 3, 0.575), **sized("logo", 46, 40, logo),
            **sized("strip", 375, 98, strip, (1, 2), LUMEN)}


def cup(canvas, colour, steam=None):
    """A cup of coffee on its saucer, 40 points wide."""
    bowl = curve((6, 15), (6, 34), (28, 34), (28, 15)) + [(6, 15)]
    canvas.fill(colour, bowl)
    canvas.fill(colour, ellipse(29, 19.5, 5.5, 5), ellipse(29, 19.5, 2.8, 2.4))
    canvas.fill(colour, bowl)
    canvas.fill(colour, box(2, 33.5, 30, 2.8, 1.4))
    for start in (12, 18, 24) if steam else ():
        wisp = curve((start, 12), (start - 4, 8), (start + 4, 6), (start, 2))
        canvas.fill(steam, stroke(wisp, 1.8))


def roastery(stamps, of=10):
    def logo(canvas):
        cup(canvas, FOAM, CARAMEL)

    def strip(canvas):
        """One place for each stamp, with a cup if it is stamped."""
        for index in range(of):
            x, y = 51.5 + index % 5 * 68, 38 + index // 5 * 68
            if index < stamps:
                canvas.fill(FOAM, ellipse(x, y, 27))
                cup(Placed(canvas, x - 17, y - 20.5), ROASTERY, CARAMEL)
            else:
                canvas.fill(CARAMEL, ellipse(x, y, 27), ellipse(x, y, 25.2))
                cup(Placed(canvas, x - 17, y - 20.5), CARAMEL)

    return {**with_icon(logo, ROASTERY, 2.5, 2, 0.68), **sized("logo", 36, 40, logo),
            **sized("strip", 375, 144, strip, (1, 2), (104, 66, 40))}


def oak():
    def logo(canvas):
        """An acorn that looks like a weight."""
        canvas.fill(GOLD, curve((9, 18), (9, 30), (15, 35), (20, 39), (25, 35), (31, 30), (31, 18)))
        canvas.fill(LEAF, curve((6, 17), (6, 4), (34, 4), (34, 17)) + [(6, 17)])
        canvas.fill(LEAF, stroke(curve((20, 8), (20, 5), (21, 3), (24, 1)), 3))
        for left in (0, 34):
            canvas.fill(WHITE, box(left, 15, 6, 12, 2))
        canvas.fill(WHITE, box(4, 19.4, 32, 3.2))

    def thumbnail(canvas):
        """A portrait of the member."""
        skin, hair, shirt = (226, 172, 134), (70, 44, 32), (44, 92, 120)
        canvas.fill(hair, ellipse(45, 38, 24, 26))
        canvas.fill(hair, box(21, 38, 48, 26, 10))
        canvas.fill(shirt, curve(
            (6, 92), (8, 66), (30, 66), (45, 66), (60, 66), (82, 66), (84, 92)))
        canvas.fill((200, 144, 108), box(37.5, 52, 15, 16, 5))
        canvas.fill((200, 144, 108), curve((36, 66.2), (38, 76), (52, 76), (54, 66.2)))
        canvas.fill(skin, ellipse(45, 42, 17, 20))
        canvas.fill(hair, curve(
            (27, 40), (26, 14), (64, 14), (63, 40), (58, 34), (52, 30), (46, 26), (40, 32), (34, 36),
            (27, 40)))
        for x in (38.5, 51.5):
            canvas.fill(OAK, ellipse(x, 43, 1.8, 2.2))
        canvas.fill((176, 88, 72), curve((39, 51), (42, 56), (48, 56), (51, 51)) + [(45, 52.5)])

    return {**with_icon(logo, OAK, 2.9, 2.6, 0.58), **sized("logo", 40, 40, logo),
            **sized("thumbnail", 90, 90, thumbnail, (1, 2), (226, 206, 150))}
