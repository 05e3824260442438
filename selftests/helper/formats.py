# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# formats.py schema SCHEMA JSON JSONL: fail unless both documents are valid for the schema
# formats.py stream SCHEMA FILE: fail unless each document in FILE is valid for the schema
# formats.py trace JSON TRACE: fail unless the trace has all records of the JSON, in the same order
import json
import sys
from fractions import Fraction

import jsonschema


def objects(schema):
    """All parts of the schema that describe objects."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def alone(record):
    """A record without what follows from other records."""
    return {key: record[key] for key in record if key not in ("culprit", "holder")}


def check_schema(schema_file, json_file, jsonl_file):
    with open(schema_file) as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    for part in objects(schema):
        assert "additionalProperties" in part, f"other keys are allowed in {part}"
    window = {"$ref": "#/$defs/window", "$defs": schema["$defs"]}
    with open(json_file) as file:
        report = json.load(file)
    with open(jsonl_file) as file:
        lines = [json.loads(line) for line in file]
    for error in validator(schema).iter_errors(report):
        sys.exit(f"{list(error.absolute_path)}: {error.message}"[:1000])
    for line in lines:
        validator(window).validate(line)
    assert lines == [alone(record) for record in report["records"]], "jsonl is not the records of json"
    # The schema must refuse a key that it does not list.
    report["records"][0]["new"] = 1
    assert not validator(schema).is_valid(report), "an unknown key is valid"


def nanoseconds(microseconds):
    ns = Fraction(microseconds) * 1000
    assert ns.denominator == 1, f"{microseconds} us is no whole number of ns"
    return int(ns)


def check_trace(json_file, trace_file):
    with open(json_file) as file:
        records = json.load(file)["records"]
    with open(trace_file) as file:
        trace = json.load(file, parse_float=Fraction)
    origin = int(trace["metadata"]["origin_ns"])
    events = trace["traceEvents"]
    tracks = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    processes = [e["pid"] for e in events if e["name"] == "process_name"]
    assert sorted(processes) == sorted({r["cpu"] for r in records}), "a process for each CPU"
    slices = [e for e in events if e["ph"] == "X"]
    instants = [e for e in events if e["ph"] == "i"]
    assert len(slices) == len(records), f"{len(slices)} slices of {len(records)} records"
    assert len(instants) == sum(len(r["samples"]) for r in records), "an instant for each sample"
    assert not records or min(e["ts"] for e in slices) == 0, "the first slice begins at the origin"
    names = {"hardirq": 1, "softirq": 2, "nosched": 3}
    rest = iter(instants)
    for record, event in zip(records, slices):
        track = (record["cpu"], names[record["kind"]])
        begin = origin + nanoseconds(event["ts"])
        assert (event["pid"], event["tid"]) == track and track in tracks, event
        assert event["args"] == alone(record), event
        assert event["name"] == record["function"] or not record["function"], event
        assert nanoseconds(event["dur"]) == record["latency_ns"], event
        assert begin == int(record["end_ns"]) - record["latency_ns"], event
        for sample in record["samples"]:
            instant = next(rest)
            args = instant["args"]
            assert (instant["pid"], instant["tid"]) == track, instant
            assert origin + nanoseconds(instant["ts"]) == begin + sample["after_ns"], instant
            assert args["seq"] == record["seq"], instant
            assert all(args[key] == sample[key] for key in sample if key != "after_ns"), instant


def check_stream(schema_file, stream_file):
    with open(schema_file) as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    with open(stream_file) as file:
        text = file.read()
    at = 0
    while text[at:at + 1]:
        document, at = json.JSONDecoder().raw_decode(text, at)
        at += 1
        for error in validator.iter_errors(document):
            sys.exit(f"{list(error.absolute_path)}: {error.message}"[:1000])


if sys.argv[1] == "schema":
    check_schema(*sys.argv[2:])
elif sys.argv[1] == "stream":
    check_stream(*sys.argv[2:])
else:
    check_trace(*sys.argv[2:])
