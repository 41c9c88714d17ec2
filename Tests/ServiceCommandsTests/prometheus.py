#!/usr/bin/env python3
"""Parses metrics in text format 0.0.4, as "Exposition formats" of Prometheus describes it, and checks its rules.
Usage: prometheus.py PORT. Prints the values by name and sorted labels, as JSON.
"""

import json
import re
import sys
import urllib.request

ANSWER = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics", timeout=20)
assert ANSWER.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
TEXT = ANSWER.read().decode("utf-8")
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? ([^ ]+)$")


def labels(text):
    found, place = {}, 0
    while place < len(text):
        match = LABEL.match(text, place)
        assert match and match[1] not in found, text
        found[match[1]] = match[2]
        place = match.end()
        assert place == len(text) or text[place] == ","
        place += 1
    return found


# "The last line must end with a line feed character."
assert TEXT.endswith("\n")
values, types, helped, group = {}, {}, set(), None
for line in TEXT.split("\n")[:-1]:
    assert line and line == line.strip(), line
    if match := re.match(rf"# HELP ({NAME}) (.+)$", line):
        # "Only one HELP line may exist for any given metric name."
        assert match[1] not in helped, line
        helped.add(match[1])
    elif match := re.match(rf"# TYPE ({NAME}) (counter|gauge|histogram|summary|untyped)$", line):
        # "The TYPE line must appear before the first sample is reported for that metric name."
        assert match[1] not in types and not any(key.startswith(match[1] + "{") for key in values), line
        types[match[1]] = match[2]
        group = match[1]
    else:
        match = SAMPLE.match(line)
        assert match, line
        # "All lines for a given metric must be provided as one single group."
        suffix = match[1].removeprefix(group)
        assert match[1].startswith(group), line
        assert suffix == "" if types[group] != "histogram" else suffix in ("_bucket", "_sum", "_count"), line
        pairs = labels(match[2] or "")
        value = float(match[3])
        # "Each line must have a unique combination of a metric name and labels."
        key = match[1] + ("{" + ",".join(f'{name}="{pairs[name]}"' for name in sorted(pairs)) + "}" if pairs else "")
        assert key not in values, line
        values[key] = value
        if types[group] == "counter":
            assert value >= 0 and match[1].endswith("_total"), line
for name in [name for name, kind in types.items() if kind == "histogram"]:
    series = {}
    for key, value in values.items():
        if key.startswith(name + "_bucket{"):
            pairs = labels(key[len(name) + 8:-1])
            bound = pairs.pop("le")
            series.setdefault(tuple(sorted(pairs.items())), []).append((float(bound), value))
    assert series
    for pairs, buckets in series.items():
        # "A histogram must have a bucket with {le="+Inf"}. Its value must be identical to that of x_count. The buckets
        # must appear in increasing numerical order of their label values."
        assert buckets == sorted(buckets) and buckets[-1][0] == float("inf")
        counts = [count for _, count in buckets]
        assert counts == sorted(counts)
        suffix = "{" + ",".join(f'{label}="{value}"' for label, value in pairs) + "}"
        assert values[f"{name}_count{suffix}"] == counts[-1]
        assert values[f"{name}_sum{suffix}"] >= 0
print(json.dumps(values))
