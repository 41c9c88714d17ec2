"""Images drawn from shapes with smooth edges, as PNG files."""

import math
import struct
import zlib

from .images import chunk

# The number of sample lines per row of pixels; along a line, coverage is exact.
SAMPLES = 5


class Canvas:
    """A transparent image, measured in points; a scale of 2 gives it twice as many pixels."""

    def __init__(self, width, height, scale=1, ground=None):
        self.scale = scale
        self.width, self.height = round(width * scale), round(height * scale)
        pixel = bytes((*ground, 255)) if ground else bytes(4)
        self.rows = [bytearray(pixel * self.width) for _ in range(self.height)]

    def fill(self, colour, *outlines):
        """Fills the area enclosed by an odd number of outlines."""
        edges = []
        for outline in outlines:
            points = [(x * self.scale, y * self.scale) for x, y in outline]
            edges += [(*a, *b) for a, b in zip(points, points[1:] + points[:1]) if a[1] != b[1]]
        if not edges:
            return
        top = max(0, math.floor(min(min(edge[1], edge[3]) for edge in edges)))
        bottom = min(self.height, math.ceil(max(max(edge[1], edge[3]) for edge in edges)))
        for y in range(top, bottom):
            changes = self._changes(y, edges)
            places = sorted(changes)
            coverage = 0.0
            for place, end in zip(places, places[1:]):
                coverage += changes[place]
                self._blend(y, place, end, colour, coverage)

    def _changes(self, y, edges):
        """The difference in coverage between each pixel of this row and the one before."""
        changes = {}

        def add(x, share):
            x = min(max(x, 0.0), float(self.width))
            place = int(x)
            part = x - place
            changes[place] = changes.get(place, 0.0) + share * (1 - part)
            changes[place + 1] = changes.get(place + 1, 0.0) + share * part

        for sample in range(SAMPLES):
            line = y + (sample + 0.5) / SAMPLES
            crossings = sorted(
                x0 + (line - y0) * (x1 - x0) / (y1 - y0) for x0, y0, x1, y1 in edges
                if min(y0, y1) <= line < max(y0, y1))
            for start, end in zip(crossings[::2], crossings[1::2]):
                add(start, 1 / SAMPLES)
                add(end, -1 / SAMPLES)
        return changes

    def _blend(self, y, start, end, colour, alpha):
        row, end = self.rows[y], min(end, self.width)
        if alpha < 0.002 or start >= end:
            return
        if alpha > 0.998:
            row[start * 4:end * 4] = bytes((*colour, 255)) * (end - start)
            return
        for place in range(start * 4, end * 4, 4):
            below = row[place + 3] / 255 * (1 - alpha)
            for channel in range(3):
                mixed = colour[channel] * alpha + row[place + channel] * below
                row[place + channel] = round(mixed / (alpha + below))
            row[place + 3] = round((alpha + below) * 255)

    def png(self):
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 6, 0, 0, 0)
        rows = b"".join(b"\0" + row for row in self.rows)
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


class Placed:
    """A canvas that moves and scales all shapes."""

    def __init__(self, canvas, x, y, size=1.0):
        self.canvas, self.x, self.y, self.size = canvas, x, y, size

    def fill(self, colour, *outlines):
        self.canvas.fill(colour, *(
            [(self.x + x * self.size, self.y + y * self.size) for x, y in outline]
            for outline in outlines))


def ellipse(x, y, across, down=None):
    """An ellipse around a centre, with two radii."""
    down = down or across
    steps = 64
    return [(x + across * math.cos(2 * math.pi * step / steps),
             y + down * math.sin(2 * math.pi * step / steps)) for step in range(steps)]


def box(x, y, width, height, radius=0.0):
    corners = [(x + width - radius, y + radius, -90), (x + width - radius, y + height - radius, 0),
               (x + radius, y + height - radius, 90), (x + radius, y + radius, 180)]
    return [(cx + radius * math.cos(math.radians(start + turn)),
             cy + radius * math.sin(math.radians(start + turn)))
            for cx, cy, start in corners for turn in (range(0, 91, 10) if radius else (0,))]


def curve(*points):
    """A path of cubic Bézier curves: a start, then three points for each curve."""
    outline = [points[0]]
    for index in range(0, len(points) - 3, 3):
        a, b, c, d = points[index:index + 4]
        for step in range(1, 25):
            t = step / 24
            outline.append(tuple(
                (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t * t * r + t ** 3 * s
                for p, q, r, s in zip(a, b, c, d)))
    return outline


def stroke(points, width, end_width=None):
    """A line of this width, which may change along the line, with butt ends."""
    end_width = width if end_width is None else end_width
    left, right = [], []
    for index, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(index - 1, 0)], points[min(index + 1, len(points) - 1)]
        length = math.hypot(x1 - x0, y1 - y0) or 1
        half = (width + (end_width - width) * index / (len(points) - 1)) / 2
        dx, dy = -(y1 - y0) / length * half, (x1 - x0) / length * half
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return left + right[::-1]

