# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# JSON lines of follow or "report --format jsonl" as files of a report. Output: the number of hosts (a host that
# was booted again is another one) and of lines that are no windows; then, for each line of a file, the number
# of its host, the name of the file and the line, with tabs between. A log store may return lines in any order, or
# twice.
#
# The lines may be forged: word() leaves no blank in a value, so that none adds a field. The parser of records
# checks the fields.

def word: tostring | explode | map(if . < 33 or . > 126 then 63 else . end) | implode | if . == "" then "?" else . end;
def frames: if type == "array" and length > 0 then map(word | gsub(";"; "?")) | join(";") else "-" end;
# The module escapes blanks in names of tasks.
def comm: tostring | gsub(" "; "\\x20") | word;
def end_s: tostring | ("0000000000" + .) | "\(.[:-9] | sub("^0+(?=.)"; "")).\(.[-9:])" | word;
def task: "\(.pid // 0 | word),\(.tgid | word),\(.cgroup | word),\(.comm | comm)";

def sample: "sample=\(.after_ns | word):\(.stack | frames) in=\(.context // "-" | word),\(.state | word),\(task)"
	+ " moved=\(.moved // "-" | word)" + (if .lock then " lock=\(.lock | word)" else "" end);

def record: "seq=\(.seq | word) kind=\(.kind | word) cpu=\(.cpu | word) end=\(.end_ns | end_s)"
	+ " latency_ns=\(.latency_ns | word) max_ns=\(.max_ns // .latency_ns | word) steal_ns=\(.steal_ns | word)"
	+ (if .paused_ns then " paused_ns=\(.paused_ns | word)" else "" end)
	+ (if .begin_seen == false then " begin=unseen" else "" end)
	+ (if .irqs then " irqs=\(.irqs | word)" else "" end)
	+ (if .softirqs then " softirqs=\(.softirqs | to_entries | map("\(.key):\(.value)") | join(",") | if . == "" then "-" else word end)"
		else "" end)
	+ " state=\(.state | word) comm=\(.comm | comm) pid=\(.pid // 0 | word) tgid=\(.tgid | word) cgroup=\(.cgroup | word)"
	+ " pending=\(.pending | if type == "array" and length > 0 then map(word) | join(",") else "-" end) stack=\(.stack | frames)"
	+ ([(.resumed_in // empty | "sample=0:\(frames)"), (.samples[]? | sample) | " " + .] | add // "");

def name: word | .[:256];
def line: tostring | explode | map(if . < 32 or . > 126 then 63 else . end) | implode;
def is_window: type == "object" and .open == false;

[inputs | fromjson? // null] as $lines | [$lines[] | select(is_window)]
	| group_by([.host, .boot_id]) | "\(length) \([$lines[] | select(is_window | not)] | length)", (to_entries[] | .key as $host
		| .value | unique_by([(.end_ns | tostring | length), .end_ns, .seq])
		| (["host", (.[0].host | name)], ["release", (.[0].release | name)], ["hardware", (.[0].hardware // "unknown" | line | .[:256])],
			(select(.[0].time == null) | ["from_log", ""]), (.[0].boot_id // empty | ["boot_id", name]), (.[0].cpus // empty | ["status", "cpus: \(name)"]),
			(map(select(.cgroup_path) | "\(.cgroup | word) \(.cgroup_path | line)") | unique[] | ["cgroups", .]),
			(.[] | ["records", (try record catch "unreadable")]))
		| "\($host + 1)\t\(.[0])\t\(.[1])")
