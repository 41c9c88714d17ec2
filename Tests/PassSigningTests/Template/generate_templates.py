"""Makes random templates with rows and what they become, and compares that with what was made.

    generate_templates.py make SEED            prints [{"template": TEXT, "rows": [{...}]}]
    generate_templates.py compare SEED FILE    reads [TEXT or null], one for each row, and prints those that differ

Null is expected if a mandatory value is missing or has the wrong type.
"""

import json
import random
import re
import sys

COLUMNS = ["a", "name", "größe", "two words", "n", "b"]
PLACEHOLDER = re.compile(r"\{\{ *([^{}:?]*?)(:number|:boolean)?(\?)? *\}\}")
ABSENT = object()
FIELDS = [
    "headerFields", "primaryFields", "secondaryFields", "auxiliaryFields", "backFields", "additionalInfoFields"]


def text(random):
    return "".join(random.choice("xé漢😀\"\\\n\t\r\u0001/{} ") for _ in range(random.randint(1, 8)))


def string(random):
    column = random.choice(COLUMNS[:4])
    mark = random.choice(["", "?"])
    return random.choice([
        lambda: text(random).replace("{", ""), lambda: "{{%s%s}}" % (column, mark),
        lambda: "{{ %s%s }}" % (column, mark), lambda: "{{n:number%s}}" % mark,
        lambda: "{{b:boolean%s}}" % mark,
        lambda: text(random).replace("{", "") + "{{%s?}}{{a}}" % column + text(random).replace("{", ""),
    ])()


def make(random, depth=0):
    kind = random.random()
    if depth > 3 or kind < 0.5:
        return random.choice([1, -2.5, True, None, string(random), string(random)])
    if kind < 0.7:
        return [make(random, depth + 1) for _ in range(random.randint(0, 4))]
    if kind < 0.85:
        return {f"k{n}": make(random, depth + 1) for n in range(random.randint(0, 4))}
    return {random.choice(FIELDS): [
        {"key": f"f{n}", "value": string(random), "label": string(random)}
        for n in range(random.randint(0, 4))]}


def expand(value, row, container=""):
    """The value for a row; ABSENT if it is left out."""
    if isinstance(value, str):
        whole = PLACEHOLDER.fullmatch(value)
        if not whole:
            return PLACEHOLDER.sub(lambda match: lookup(match, row) or "", value)
        found = lookup(whole, row)
        if found is None:
            return ABSENT
        if whole[2] == ":number":
            number = json.loads(found)
            if type(number) not in (int, float):
                raise ValueError
            return number
        if whole[2] == ":boolean":
            return {"true": True, "false": False}[found.lower()]
        return found
    if isinstance(value, list):
        items = [expand(each, row, container) for each in value]
        return [each for each in items if each is not ABSENT]
    if isinstance(value, dict):
        if container in FIELDS and expand(value.get("value", 0), row, "value") is ABSENT:
            return ABSENT
        members = {key: expand(each, row, key) for key, each in value.items()}
        return {key: each for key, each in members.items() if each is not ABSENT}
    return value


def lookup(match, row):
    found = row.get(match[1]) or None
    if found is None and not match[3]:
        raise KeyError(match[1])
    return found


def mandatory(value):
    if isinstance(value, str):
        return {match[1] for match in PLACEHOLDER.finditer(value) if not match[3]}
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*map(mandatory, items))


def expected(template, row):
    try:
        # The data must have it, even where the template leaves it out.
        if any(not row.get(column) for column in mandatory(template)):
            return None
        return expand(template, row)
    except (KeyError, ValueError):
        return None


def cases(random):
    for _ in range(50):
        template = {"serialNumber": "{{a}}-1", "x": make(random), "y": make(random), "z": make(random)}
        rows = []
        for _ in range(6):
            row = {column: text(random) for column in COLUMNS if random.random() < 0.85}
            row["a"] = text(random)
            row["n"] = random.choice(["0", "-1.5e3", "12345678901234567890", "", "01", "1.", "+1", "x", "7"])
            row["b"] = random.choice(["true", "FALSE", "True", "", "yes"])
            if random.random() < 0.5:
                row |= {"n": "7", "b": "true"}
            rows.append(row)
        yield {
            "template": json.dumps(
                template, ensure_ascii=random.random() < 0.5, indent=random.choice([None, 0, 2])),
            "rows": rows}


def comparable(value):
    """A text, since True equals 1."""
    return json.dumps(value, sort_keys=True)


def main():
    made = list(cases(random.Random(sys.argv[2])))
    if sys.argv[1] == "make":
        json.dump(made, sys.stdout)
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        found = json.load(file)
    wanted = [
        (case["template"], row, expected(json.loads(case["template"]), row))
        for case in made for row in case["rows"]]
    json.dump([
        {"template": template, "row": row, "expected": value, "found": text}
        for (template, row, value), text in zip(wanted, found, strict=True)
        if comparable(value) != comparable(text and json.loads(text))], sys.stdout)


main()
