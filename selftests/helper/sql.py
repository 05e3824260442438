# SPDX-License-Identifier: GPL-2.0
#
# sql.py STORE SQL DIRECTORY FILES SINCE HOST: load FILES into STORE (duckdb, clickhouse or spark), kept in
# DIRECTORY, with the statements in the directory SQL. Print the answer of each query: a line "-- QUESTION", and rows
# with tabs between values.
import json
import os
import re
import sys

STORE, SQL, DIRECTORY, FILES, SINCE, HOST = sys.argv[1:]
NAMES = {"duckdb": "DuckDB", "clickhouse": "ClickHouse", "spark": "Spark"}

if STORE == "duckdb":
    import duckdb
    connection = duckdb.connect(DIRECTORY + "/windows.db")

    def run(statement):
        return connection.execute(statement).fetchall()
elif STORE == "clickhouse":
    from chdb import session
    connection = session.Session(DIRECTORY)

    def run(statement):
        text = str(connection.query(statement, "JSONCompact"))
        return json.loads(text)["data"] if text.strip() else []
else:
    from pyspark.sql import SparkSession
    os.chdir(DIRECTORY)
    spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false") \
        .config("spark.sql.warehouse.dir", DIRECTORY).getOrCreate()

    def run(statement):
        return spark.sql(statement).collect()


def statements(name):
    """The statements of a file, each with the comment line before it, without comments inside."""
    text = open(f"{SQL}/{name}").read()
    if STORE == "clickhouse":
        text = re.sub("^-- ClickHouse: ", "", text, flags=re.M)
    question = statement = ""
    for line in text.splitlines():
        if line.startswith("--"):
            question = line
        elif line:
            statement += line + "\n"
        if not line.startswith("--") and line.endswith(";"):
            # All rows are compared.
            yield question, statement[:-2].replace("LIMIT 20", "LIMIT 1000")
            statement = ""


def load():
    how = re.search(f"^-- in {NAMES[STORE]}: *(.*)", open(f"{SQL}/tables.sql").read(), re.M).group(1)
    how = how.replace("windows/*.jsonl", FILES)
    if STORE == "spark":
        eval(how)
    else:
        run(how)


def text_of(value):
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).replace("True", "true").replace("False", "false")


for _, statement in statements("tables.sql"):
    if statement.startswith("CREATE VIEW asked"):
        statement = f"CREATE VIEW asked AS SELECT '{SINCE}' AS since, '{HOST}' AS host"
    run(statement)
load()
for question, statement in statements("queries.sql"):
    print(question)
    for row in run(statement):
        print("\t".join(map(text_of, row)))
