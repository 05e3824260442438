# SPDX-License-Identifier: GPL-2.0
#
# formats.py stream SCHEMA FILE: print how many documents are in FILE; fail unless each is valid for the schema
# formats.py lines JSON JSONL: fail unless the lines of JSONL are the records of the JSON
# formats.py trace JSON TRACE: fail unless the trace has all records of the JSON, in the same order
import json
import sys
from fractions import Fraction

import jsonschema


def alone(record):
    """A record as a line has it."""
    return {key: record[key] for key in record if key != "row"}


def documents(file_name):
    """The JSON documents in a file, one after the other."""
    with open(file_name) as file:
        text = file.read()
    at = 0
    while text[at:at + 1]:
        document, at = json.JSONDecoder().raw_decode(text, at)
        at += 1
        yield document


def check_stream(schema_file, stream_file):
    schema = next(documents(schema_file))
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    reports = list(documents(stream_file))
    for report in reports:
        for error in validator(schema).iter_errors(report):
            sys.exit(f"{list(error.absolute_path)}: {error.message}"[:1000])
    print(len(reports))


def check_lines(json_file, jsonl_file):
    report = next(documents(json_file))
    records = report["records"]
    for record in records:
        culprit = report["culprits"][record["row"]]
        assert [record[key] for key in ("culprit", "sure", "reason")] == \
            [culprit[key] for key in ("function", "sure", "reason")], (record, culprit)
    assert list(documents(jsonl_file)) == [alone(record) for record in records], "jsonl is not the records of json"


def nanoseconds(microseconds):
    ns = Fraction(microseconds) * 1000
    assert ns.denominator == 1, f"{microseconds} us is no whole number of ns"
    return int(ns)


def check_trace(json_file, trace_file):
    records = next(documents(json_file))["records"]
    with open(trace_file) as file:
        trace = json.load(file, parse_float=Fraction)
    origin = int(trace["metadata"]["origin_ns"])
    events = trace["traceEvents"]
    slices = [e for e in events if e["ph"] == "X"]
    instants = iter([e for e in events if e["ph"] == "i"])
    processes = sorted(e["pid"] for e in events if e["name"] == "process_name")
    tracks = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    assert processes == sorted({r["cpu"] for r in records}), "a process for each CPU"
    assert len(slices) == len(records), f"{len(slices)} slices of {len(records)} records"
    assert not records or min(e["ts"] for e in slices) == 0, "the first slice begins at the origin"
    for record, event in zip(records, slices):
        track = (record["cpu"], ["", "hardirq", "softirq", "nosched"].index(record["kind"]))
        begin = int(record["end_ns"]) - record["latency_ns"]
        assert track in tracks and event["name"].endswith(record["culprit"] or ")"), event
        assert (event["pid"], event["tid"], event["args"]) == (*track, alone(record)), event
        assert nanoseconds(event["dur"]) == record["latency_ns"], event
        assert origin + nanoseconds(event["ts"]) == begin, event
        for sample in record["samples"]:
            instant = next(instants)
            at = origin + nanoseconds(instant["ts"])
            args = {"seq": record["seq"], "after_ns": at - begin, **instant["args"]}
            assert (instant["pid"], instant["tid"]) == track, instant
            assert args == {"seq": record["seq"], **{key: sample[key] for key in sample if key not in ("moved", "lock")}}, (instant, sample)
    assert not list(instants), "more instants than samples"


{"stream": check_stream, "lines": check_lines, "trace": check_trace}[sys.argv[1]](*sys.argv[2:])
