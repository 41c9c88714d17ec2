"""Writes Outlook's message files: [MS-CFB] and [MS-OXMSG]."""

import struct

FREE, END, FAT, DIFAT, NOTHING = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC, 0xFFFFFFFF
FOLDER, STREAM, ROOT = 1, 2, 5
CUTOFF = 4096


def compound(tree, *, shift=9, scattered=False):
    """A compound file from a dict: bytes are streams, dicts are folders."""
    size = 1 << shift
    sectors, fat, mini, mini_fat = [], [], bytearray(), []

    def chain(data, number):
        """Puts data into sectors, in reverse order if they are to be scattered."""
        pieces = [data[i:i + size].ljust(size, b"\0") for i in range(0, len(data), size)]
        if not pieces:
            return END
        first = len(sectors)
        places = list(range(first, first + len(pieces)))
        if scattered:
            places.reverse()
        sectors.extend(pieces)
        fat.extend([number] * len(pieces))
        for place, piece, following in zip(places, pieces, places[1:] + [END]):
            sectors[place] = piece
            fat[place] = following
        return places[0]

    entries = []

    def add(name, kind, content):
        number = len(entries)
        entries.append(None)
        child, start, length = NOTHING, 0, 0
        if kind == STREAM:
            length = len(content)
            if length < CUTOFF:
                start = len(mini) // 64 if length else END
                count = -(-length // 64)
                mini.extend(content.ljust(count * 64, b"\0"))
                mini_fat.extend([*range(start + 1, start + count), END] if count else [])
            else:
                start = chain(content, END)
        else:
            # A tree in which every name is a right sibling: readers do not depend on the shape.
            names = sorted(content, key=lambda name: (len(name), name.upper()))
            numbers = [add(name, FOLDER if isinstance(content[name], dict) else STREAM, content[name])
                       for name in names]
            child = numbers[0] if numbers else NOTHING
            for left, right in zip(numbers, numbers[1:]):
                entries[left][2] = right
        entries[number] = [name, kind, NOTHING, child, start, length]
        return number

    add("Root Entry", ROOT, tree)
    entries[0][4], entries[0][5] = chain(bytes(mini), END), len(mini)
    directory = bytearray()
    for name, kind, right, child, start, length in entries:
        text = name.encode("utf-16-le") + b"\0\0"
        directory += struct.pack("<64sHBBIII16sIQQIQ", text, len(text), kind, 1, NOTHING, right, child,
                                 bytes(16), 0, 0, 0, start, length)
    first_entry = chain(bytes(directory), END)
    table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    table += b"\xff" * (-len(table) % size)
    first_mini, mini_count = chain(table, END), len(table) // size

    per = size // 4
    fat_count = lists = 0
    while True:
        wanted = -(-(len(sectors) + fat_count + lists) // per)
        beyond = max(0, wanted - 109)
        wanted_lists = -(-beyond // (per - 1))
        if (wanted, wanted_lists) == (fat_count, lists):
            break
        fat_count, lists = wanted, wanted_lists
    places = list(range(len(sectors), len(sectors) + fat_count))
    list_places = list(range(len(sectors) + fat_count, len(sectors) + fat_count + lists))
    fat += [FAT] * fat_count + [DIFAT] * lists
    fat += [FREE] * (fat_count * per - len(fat))
    for i in range(fat_count):
        sectors.append(struct.pack(f"<{per}I", *fat[i * per:(i + 1) * per]))
    for i in range(lists):
        numbers = places[109 + i * (per - 1):109 + (i + 1) * (per - 1)]
        numbers += [FREE] * (per - 1 - len(numbers))
        sectors.append(struct.pack(f"<{per}I", *numbers, list_places[i + 1] if i + 1 < lists else END))
    heads = (places[:109] + [FREE] * 109)[:109]
    header = struct.pack("<8s16sHHHHH6s9I109I", bytes.fromhex("d0cf11e0a1b11ae1"), bytes(16), 0x3E,
                         3 if shift == 9 else 4, 0xFFFE, shift, 6, bytes(6),
                         0 if shift == 9 else -(-len(directory) // size), fat_count, first_entry, 0,
                         CUTOFF, first_mini if mini_fat else END, mini_count,
                         list_places[0] if lists else END, lists, *heads)
    return header.ljust(size, b"\0") + b"".join(sectors)


def attachment(data, name=None, short=None, media_type=None, *, charset=None):
    """An attachment's folder; its texts in an 8-bit character set if one is named."""
    kind, encoding = ("001E", charset) if charset else ("001F", "utf-16-le")
    folder = {"__properties_version1.0": bytes(8), "__substg1.0_37010102": data}
    for number, text in [("3707", name), ("3704", short), ("370E", media_type)]:
        if text:
            folder[f"__substg1.0_{number}{kind}"] = text.encode(encoding)
    return folder


def attached(message, subject=None):
    """An attached message."""
    folder = {"__properties_version1.0": bytes(8), "__substg1.0_3701000D": message}
    if subject:
        folder["__substg1.0_3001001F"] = subject.encode("utf-16-le")
    return folder


def message(*attachments, subject="a message", code_page=None, top=True):
    """The streams and folders of a message."""
    properties = bytes(32 if top else 24)
    if code_page:
        properties += struct.pack("<HHIII", 3, 0x3FFD, 6, code_page, 0)
    folder = {"__nameid_version1.0": {"__substg1.0_00020102": b"", "__substg1.0_00030102": b"",
                                      "__substg1.0_00040102": b""},
              "__properties_version1.0": properties,
              "__substg1.0_001A001F": "IPM.Note".encode("utf-16-le"),
              "__substg1.0_0037001F": subject.encode("utf-16-le"),
              "__substg1.0_1000001F": ("Your ticket is attached. " * 120).encode("utf-16-le")}
    for number, content in enumerate(attachments):
        folder[f"__attach_version1.0_#{number:08X}"] = content
    return folder
