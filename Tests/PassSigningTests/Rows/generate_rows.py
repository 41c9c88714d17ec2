"""Writes a random file of rows, and prints the rows as Python reads them.

    generate_rows.py csv|soup|jsonl SEED FILE

Prints a JSON array: {"line": N, "values": {...}} for a row, without empty values, and {"line": N, "bad": true}
for one that is to be refused. `soup` is CSV of random characters; it ends at the first row that Python refuses.
"""

import csv
import io
import json
import random
import sys

LETTERS = "ab,\"\n;\t \\'{}éß漢😀\u0301"


def text(random, letters=LETTERS, most=12):
    return "".join(random.choice(letters) for _ in range(random.randint(0, most)))


def read_csv(content, separator):
    """The entries, up to the first error."""
    lines = io.StringIO(content, newline="\n")
    reader = csv.reader(lines, delimiter=separator, strict=True)
    entries, header = [], None
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error:
            return entries + [{"line": line, "bad": True}]
        if row is None:
            return entries
        if not row:
            continue
        if header is None:
            header = row
        elif len(row) != len(header):
            entries.append({"line": line, "bad": True})
        else:
            entries.append({"line": line, "values": {k: v for k, v in zip(header, row) if v}})


def make_csv(random):
    separator = random.choice(",,,;\t")
    end = random.choice(["\n", "\r\n"])
    output = io.StringIO(newline="")
    writer = csv.writer(
        output, delimiter=separator, lineterminator=end,
        quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    columns = random.randint(2, 6)
    writer.writerow([f"{random.choice('xyzé')}{n}" for n in range(columns)])
    for _ in range(30):
        row = [text(random) for _ in range(columns)]
        if random.random() < 0.1:
            row = row[1:] or row + row
        writer.writerow(row)
        if random.random() < 0.1:
            output.write(end)
    content = output.getvalue()
    if random.random() < 0.5:
        content = content.removesuffix(end)
    mark = "\ufeff" if random.random() < 0.3 else ""
    return (mark + content).encode(), read_csv(content, separator)


def make_soup(random):
    content = "a,b\n" + text(random, "a,,\"\"\n\n\r;", 40).replace("\r", "\r\n")
    return content.encode(), read_csv(content, ",")


def value(random):
    return random.choice([
        lambda: text(random), lambda: text(random, "a\u0000\u001f\u007f\u2028\r\n\t\b\f/"),
        lambda: random.randint(-10**30, 10**30), lambda: random.uniform(-1e20, 1e20),
        lambda: random.random() * 1e-9, lambda: True, lambda: False, lambda: None,
        lambda: "\ud83d" if random.random() < 0.05 else "", lambda: [1] if random.random() < 0.1 else 0,
    ])()


def pairs(items):
    if len({key for key, _ in items}) < len(items):
        raise ValueError
    return dict(items)


def refuse(_):
    raise ValueError


def entry(number, line):
    """The entry for a line; None if it is blank."""
    if not line.strip(b" \t\r"):
        return None
    try:
        row = json.loads(
            line.decode(), parse_int=str, parse_float=str, parse_constant=refuse,
            object_pairs_hook=pairs)
        if not isinstance(row, dict) or any(isinstance(each, (dict, list)) for each in row.values()):
            raise ValueError
        values = {
            key: each if isinstance(each, str) else str(each).lower()
            for key, each in row.items() if each is not None and each != ""}
        json.dumps(values, ensure_ascii=False).encode()
        "".join(row).encode()
    except ValueError:
        return {"line": number, "bad": True}
    return {"line": number, "values": values}


def make_jsonl(random):
    lines = []
    keys = [text(random, "abcé\"\\", 5) + str(n) for n in range(4)]
    for _ in range(40):
        some = keys if random.random() < 0.5 else random.sample(keys, random.randint(0, 4))
        line = json.dumps(
            {key: value(random) for key in some}, ensure_ascii=True,
            separators=random.choice([(",", ":"), (", ", " : ")]))
        if random.random() < 0.5:
            try:
                line = json.dumps(json.loads(line), ensure_ascii=False)
                line.encode()
            except UnicodeEncodeError:
                continue
        data = bytearray(line.encode())
        if random.random() < 0.4:
            place = random.randrange(len(data))
            change = random.choice([b"", b"\"", b"\\", b"1", b",", b"}", b"u", b"\xff", b"-", b".", b"0"])
            data[place:place + random.randint(0, 1)] = change
        lines.append(bytes(data) + random.choice([b"", b"\r", b" "]))
        if random.random() < 0.1:
            lines.append(b"  ")
    entries = [entry(number, line) for number, line in enumerate(lines, 1)]
    return b"\n".join(lines), [each for each in entries if each]


def main():
    kind, seed, path = sys.argv[1:]
    content, entries = globals()[f"make_{kind}"](random.Random(f"{kind} {seed}"))
    with open(path, "wb") as file:
        file.write(content)
    json.dump(entries, sys.stdout)


main()
