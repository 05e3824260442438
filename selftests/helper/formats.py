# SPDX-License-Identifier: GPL-2.0
#
# formats.py stream SCHEMA FILE: print how many documents are in FILE; fail unless each is valid for the schema
# formats.py lines JSON JSONL: fail unless the lines of JSONL are the records of the JSON
import json
import sys

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


{"stream": check_stream, "lines": check_lines}[sys.argv[1]](*sys.argv[2:])
