-- SPDX-License-Identifier: GPL-2.0
-- Copyright (c) 2026 The trace_irqoff authors
--
-- A store for the lines of "trace-irqoff follow" from many hosts, in DuckDB, ClickHouse or Spark. Run this file once.
-- ClickHouse takes it without "-- ClickHouse: " at the beginning of two lines.
--
-- To add the windows in files, for example windows/*.jsonl:
-- in DuckDB:      COPY windows FROM 'windows/*.jsonl' (FORMAT json)
-- in ClickHouse:  INSERT INTO windows SELECT * FROM file('windows/*.jsonl', JSONEachRow)
-- in Spark:       spark.read.schema(spark.table("windows").schema).json("windows/*.jsonl").write.insertInto("windows")
--
-- The table has no stacks. Keep the files: "trace-irqoff report" reads their lines.

-- ClickHouse: SET data_type_default_nullable = 1;
-- time is text, such as 2026-11-21T04:10:02.123456Z: its order is the order in time.
CREATE TABLE windows (
	host String, boot_id String, release String, hardware String, seq BIGINT, kind String, cpu INT, time String,
	latency_ns BIGINT, comm String, cgroup_path String, culprit String, sure BOOLEAN, reason String, waits_for String,
	lock String, holder BIGINT
)
-- ClickHouse: ENGINE = MergeTree ORDER BY (host, time) SETTINGS allow_nullable_key = 1
;

-- Windows with a culprit. A waiter is a window that waited for another window, its holder. It has the culprit of its holder.
CREATE VIEW credited AS
SELECT *, CASE WHEN holder IS NULL THEN latency_ns END AS own_ns, CASE WHEN holder IS NOT NULL THEN latency_ns END AS waited_ns
FROM windows WHERE culprit IS NOT NULL;

-- What the last two queries ask for: when a rollout began, and a host. To ask again, replace this view.
CREATE VIEW asked AS SELECT '2026-11-28T09:00' AS since, 'web-1' AS host;
