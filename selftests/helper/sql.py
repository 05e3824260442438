# SPDX-License-Identifier: GPL-2.0
#
# sql.py STORE SQL DIRECTORY FILES SINCE HOST: load FILES into STORE (duckdb, clickhouse or spark), kept in
# DIRECTORY, with the statements in the directory SQL. Print the answer of each query: a line "-- QUESTION", and rows
# with tabs between values. At the end, print to stderr what it took.
import json
import os
import re
import sys
import time

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
begun_s = time.monotonic()
load()
load_s = time.monotonic() - begun_s
queries_s = []
for question, statement in statements("queries.sql"):
    begun_s = time.monotonic()
    rows = run(statement)
    queries_s.append(time.monotonic() - begun_s)
    print(question)
    for row in rows:
        print("\t".join(map(text_of, row)))

files = [os.path.join(place, name) for place, _, names in os.walk(DIRECTORY) for name in names]
windows = run("SELECT count(*) AS n FROM windows")[0][0]
# Spark's store is a child of this process.
memory_kb = 0
for pid in [os.getpid()] + open(f"/proc/self/task/{os.getpid()}/children").read().split():
    memory_kb += int(re.search(r"VmHWM:\s*(\d+)", open(f"/proc/{pid}/status").read()).group(1))
print(f"{STORE}: {windows} windows, {sum(map(os.path.getsize, files)) / int(windows):.0f} bytes each; loaded in {load_s:.0f} s, "
      f"queries {min(queries_s):.1f} to {max(queries_s):.1f} s; {memory_kb >> 10} MB of memory", file=sys.stderr)
