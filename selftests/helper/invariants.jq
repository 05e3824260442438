# SPDX-License-Identifier: GPL-2.0
#
# Rules that hold for each report in JSON. For a report that breaks some, prints its file and these rules.
.records as $records | .culprits as $rows |
# Each of these times is rounded to a nanosecond.
def within($few; $nr): . as [$a, $b] | ($a - $b | fabs) <= $few * $b + $nr;
def times(f): map(f) | add // 0;
[
	(if [$rows | times(.total_ns + .waited_ns), ($records | times(.latency_ns))] | within(1e-12; $rows | length) | not then
		"the times of rows do not add up to those of windows" else empty end),
	($rows | to_entries[] | .key as $row | .value | [$records[] | select(.row == $row)] as $own |
		(if [.total_ns, ([.kinds_ns[]] | add // 0)] | within(1e-12; 2) | not then "kinds_ns do not add up to total_ns" else empty end),
		(if .worst_ns > .total_ns or .total_ns > .worst_ns * .windows * (1 + 1e-12) + .windows then "worst_ns does not fit total_ns" else empty end),
		(if .waiters != ($own | map(select(.holder)) | length) then "wrong number of waiters" else empty end),
		(if .windows < ($own | map(select(.holder == null)) | length) then "fewer windows than records" else empty end),
		(if .samples > .all_samples then "more samples than all_samples" else empty end),
		(if ($own | map(select(.holder == null).cpu)) - .cpus != [] then "the CPU of a record is missing" else empty end)
		| "row \($row): \(.)"),
	($records[] | select([.culprit, .sure, .reason] != ($rows[.row] | [.function, .sure, .reason]))
		| "record \(.seq) and its row name different culprits"),
	(if .windows != ($records | length) then "windows is not the number of records" else empty end)
] | select(. != []) | "\(input_filename): \(join(", "))"
