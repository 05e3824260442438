# SPDX-License-Identifier: GPL-2.0
#
# formats.py SCHEMA FILE: print how many JSON documents are in FILE; fail unless each is valid for the schema
import json
import sys

import jsonschema


def documents(file_name):
    """The JSON documents in a file, one after the other."""
    with open(file_name) as file:
        text = file.read()
    at = 0
    while text[at:at + 1]:
        document, at = json.JSONDecoder().raw_decode(text, at)
        at += 1
        yield document


schema = next(documents(sys.argv[1]))
validator = jsonschema.Draft202012Validator
validator.check_schema(schema)
reports = list(documents(sys.argv[2]))
for report in reports:
    for error in validator(schema).iter_errors(report):
        sys.exit(f"{list(error.absolute_path)}: {error.message}"[:1000])
print(len(reports))
