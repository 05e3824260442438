-- SPDX-License-Identifier: GPL-2.0
-- Copyright (c) 2026 The trace_irqoff authors
--
-- Questions to the windows of many hosts, in tables.sql. The store knows only hosts that had a window.

-- Which culprits are on most hosts?
SELECT culprit, max(sure) AS sure, count(DISTINCT host) AS hosts, count(own_ns) AS windows,
	floor(coalesce(sum(own_ns), 0) / 1e6) AS total_ms, floor(coalesce(max(own_ns), 0) / 1e6) AS longest_ms,
	count(waited_ns) AS waiters, floor(coalesce(sum(waited_ns), 0) / 1e6) AS waited_ms
FROM credited GROUP BY culprit ORDER BY hosts DESC, total_ms DESC, culprit LIMIT 20;

-- Which windows have no culprit, and why?
SELECT reason, coalesce(lock, '-') AS lock_name, count(DISTINCT host) AS hosts, count(*) AS windows,
	floor(sum(latency_ns) / 1e6) AS total_ms
FROM windows WHERE culprit IS NULL GROUP BY reason, lock ORDER BY hosts DESC, total_ms DESC, reason, lock_name LIMIT 20;

-- Which kernels have a culprit, on how many of their hosts?
SELECT culprit, release, hosts, all_hosts, floor(100 * hosts / all_hosts) AS percent
FROM (SELECT culprit, release, count(DISTINCT host) AS hosts FROM credited GROUP BY culprit, release) AS having_it
JOIN (SELECT release, count(DISTINCT host) AS all_hosts FROM windows GROUP BY release) AS running_it USING (release)
ORDER BY hosts DESC, percent DESC, culprit, release LIMIT 20;

-- Which hardware has a culprit, on how many of its hosts?
SELECT culprit, hardware, hosts, all_hosts, floor(100 * hosts / all_hosts) AS percent
FROM (SELECT culprit, hardware, count(DISTINCT host) AS hosts FROM credited GROUP BY culprit, hardware) AS having_it
JOIN (SELECT hardware, count(DISTINCT host) AS all_hosts FROM windows GROUP BY hardware) AS made_so USING (hardware)
ORDER BY hosts DESC, percent DESC, culprit, hardware LIMIT 20;

-- When and where was each culprit seen first?
SELECT culprit, min(concat(time, ' on ', host, ' with ', release)) AS first_seen, max(time) AS last_seen,
	count(DISTINCT host) AS hosts
FROM credited GROUP BY culprit ORDER BY first_seen DESC, culprit LIMIT 20;

-- Which culprits are new since the rollout?
SELECT culprit, min(time) AS first_seen, count(DISTINCT host) AS hosts, count(DISTINCT release) AS kernels, count(*) AS windows
FROM credited GROUP BY culprit HAVING min(time) >= (SELECT since FROM asked)
ORDER BY hosts DESC, windows DESC, culprit LIMIT 20;

-- How much time do culprits take on this host, and on average on its peers, which have the same kernel and hardware?
WITH alike AS (SELECT DISTINCT release, hardware FROM windows WHERE host = (SELECT host FROM asked)),
	peers AS (SELECT count(DISTINCT host) - 1 AS peers FROM windows JOIN alike USING (release, hardware)),
	split AS (
		SELECT culprit, CASE WHEN host = (SELECT host FROM asked) THEN latency_ns ELSE 0 END AS host_ns,
			CASE WHEN host = (SELECT host FROM asked) THEN 0 ELSE latency_ns END AS peers_ns,
			CASE WHEN host = (SELECT host FROM asked) THEN NULL ELSE host END AS peer
		FROM credited JOIN alike USING (release, hardware))
SELECT culprit, floor(sum(host_ns) / 1e6) AS host_ms, floor(sum(peers_ns) / nullif(max(peers), 0) / 1e6) AS peer_ms,
	count(DISTINCT peer) AS peers_with_it, max(peers) AS all_peers
FROM split CROSS JOIN peers GROUP BY culprit ORDER BY sum(host_ns) - sum(peers_ns) / nullif(max(peers), 0) DESC, culprit LIMIT 20;
