# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff merge: the culprits of many hosts. Input: for each archive, a line with its name, a tab
# and its report.json (report.schema.json describes it). $output: text or json; $top: how many
# culprits are described as text.
#
# A report comes from another host and may be hostile. Values of a wrong type are dropped, unprintable
# characters become "?", and long texts and lists are cut: scan() of jq 1.6 takes minutes for 1 MB.

def printable: explode | map(if . < 32 or . > 126 then 63 else . end) | implode;
def text: if type == "string" then .[:256] | printable else null end;
def number: if type == "number" then . else 0 end;

def duration:
	def hundredths: (. * 100 | round) as $n | "\($n / 100 | floor).\($n % 100 + 100 | tostring[1:])";
	if . < 1e7 then "\(. / 1e6 | hundredths) ms"
	elif . < 1e9 then "\(. / 1e6 | floor) ms"
	elif . < 1e11 then "\(. / 1e9 | hundredths) s"
	else "\(. / 1e9 | floor) s" end;
def plural(word): "\(.) \(word)" + (if . == 1 then "" else "s" end);
def right($width): " " * ($width - length) + .;
# How often each value occurs in a list, the most frequent first.
def counts: group_by(.) | map({value: .[0], count: length}) | sort_by(-.count, .value);
# Break lines at 80 columns. The first line begins with $first; the others are indented by its length.
def wrapped($first):
	reduce (split(" ")[]) as $word ([$first];
		if (.[-1] | length) + ($word | length) > 79 then . + [" " * ($first | length) + $word]
		else .[-1] += (if (.[-1] | length) > ($first | length) then " " else "" end) + $word end)
	| join("\n");

# The fields of a report that are used; null for a report that cannot be read.
def known: if type == "object" then {cause: (.cause | text), fixed: ([.fixed[]? | text] | join(", ")),
	commit: (.commit | text), maybe: (.maybe == true), helps: (.helps | text)} else null end;
def culprit: {name: (.name | text), is_function: (.function | type == "string"), sure: (.sure == true),
	windows: (.windows | number), total_ns: (.total_ns | number), worst_ns: (.worst_ns | number),
	waiters: (.waiters | number), first_end: (.first_end | text), last_end: (.last_end | text), known: (.known | known),
	# The task below a handler has nothing to do with it.
	task: (if .context == "interrupt" then "an interrupt handler" elif .context == "softirq" then "a softirq handler"
		else (.comm | text // "-") + (.cgroup_path | text // "" | [scan("[^/]+[.]service")] | last
		| if . == null then "" else " of " + . end) end)};
def report: (fromjson? // null)
	| if type == "object" and .schema == 3 and (.culprits | type == "array") and (.status | type == "object")
	then {host: (.host | text), kernel: (.release | text), cpus: (.status.cpus | text),
		module: (.status.version | text), nmi: (.status.nmi | text), boot: (.boot_id | text),
		is_run: (.duration_ns != null), open: (.open | type == "array" and length > 0),
		threshold: (.status.threshold_ns | if type == "number" then duration else null end),
		culprits: [.culprits[:1000][] | select(type == "object") | culprit | select(.name != null and .windows > 0)]}
	else null end;

# Archives of collect overlap, as each has all records of a boot: of these, the one with the most windows of a
# culprit counts. Archives of different runs have different windows.
def culprits_of_boots: map(. as $report | .culprits[] + ($report | del(.culprits)))
	| group_by([.boot, .name]) | map(
		(map(select(.is_run)) | unique_by([.first_end, .last_end])) as $runs
		| (map(select(.is_run | not)) + [$runs | select(length > 0) | .[0] + {sure: any(.sure),
			windows: (map(.windows) | add), total_ns: (map(.total_ns) | add), worst_ns: (map(.worst_ns) | max), waiters: (map(.waiters) | add)}])
		| max_by(.windows));

def by_host: group_by(.host)
	| map({host: .[0].host, archives: length, kernel: .[-1].kernel, cpus: .[-1].cpus, module: .[-1].module,
		nmi: .[-1].nmi, threshold: .[-1].threshold, open: any(.open), culprits: culprits_of_boots});

# Values that are more frequent on hosts with the culprit: their share is higher by at least one half.
def differences($with; $without):
	[("kernel", "cpus", "module", "nmi", "threshold") as $what
	| ($with | map(.[$what])) as $a | ($without | map(.[$what])) as $b
	| select(($a | length) > 0 and ($b | length) > 0)
	| ($a | counts)[0] | .value as $value
	| {what: $what, value: $value, with: .count, without: ($b | map(select(. == $value)) | length)}
	| select(.value != null and .with / ($a | length) - .without / ($b | length) >= 0.5)];

def merged:
	map(split("\t") | {archive: (.[0] | printable), report: (.[1:] | join("\t") | report)})
	| {archives: length, unreadable: map(select(.report == null).archive),
		# An archive without the name of its host (--redact) is a host of its own.
		hosts: (map(select(.report != null) | .archive as $archive | .report
			| if .host == null or .host == "redacted" or .host == "unknown" then .host = $archive else . end)
			| by_host)}
	| .hosts as $hosts
	| .culprits = ([$hosts[] | .host as $host | .culprits[] | {host: $host} + .]
		| group_by(.name)
		| map((map(.host) | unique) as $names
			| (reduce $names[] as $name ({}; .[$name] = 1)) as $has
			| {name: .[0].name, is_function: .[0].is_function, sure: any(.sure), hosts: $names,
				windows: (map(.windows) | add), total_ns: (map(.total_ns) | add),
				worst_ns: (map(.worst_ns) | max), waiters: (map(.waiters) | add),
				kernels: (map({host, kernel}) | unique | map(.kernel) | counts), tasks: (map({host, task}) | unique | map(.task) | counts),
				differs: differences(group_by(.host) | map(max_by(.last_end)); $hosts | map(select($has[.host] | not))),
				known: (map(.known | select(. != null))[0])})
		| sort_by((.is_function | not), -(.hosts | length), -.total_ns))
	| .hosts |= map(del(.culprits));

def some($n): if length <= $n then join(", ") else (.[:$n] | join(", ")) + " and \(length - $n) more" end;
def heading: {kernel: "kernel", cpus: "CPUs", module: "module", nmi: "nmi:", threshold: "threshold"}[.];

# A function that no host is sure of
def probably: if .is_function and (.sure | not) then "probably " else "" end;

def described($all_hosts): (.hosts | length) as $with | ($all_hosts | length) as $nr_hosts
	| "\n\(probably)\(.name): on \($with) of \($nr_hosts | plural("host"))",
	("\(.windows | plural("window")), longest \(.worst_ns | duration), in all \(.total_ns | duration)"
		+ (if .waiters > 0 then "; it delayed \(.waiters | plural("window")) on other CPUs" else "" end)
		| wrapped("  what    ")),
	(.tasks | map("\(.value) on \(.count)") | some(5) | wrapped("  who     ")),
	(.kernels | map("\(.value) on \(.count)") | some(4) | wrapped("  kernel  ")),
	(if $with == $nr_hosts then empty
	elif (.differs | length) == 0 then "  differ  no kernel, CPUs, module version, nmi or threshold is much more frequent here"
	else .differs[] | "  differ  \(.what | heading) \(.value): \(.with) of \($with) hosts, " +
		"and \(.without) of the \($nr_hosts - $with) others" end),
	(.hosts | some(8) | wrapped("  hosts   ")),
	(if $with == $nr_hosts then empty
	else $all_hosts - .hosts | some(8) | wrapped("  others  ") end),
	(.known // empty
		| .maybe as $maybe | (.cause // empty | wrapped(if $maybe then "  maybe   " else "  known   " end)),
		(select(.fixed != "") | .fixed + (if .commit then " (\(.commit))" else "" end) | wrapped("  fixed   ")),
		(.helps // empty | wrapped("  helps   ")));

def answer: .culprits[0] as $first | (.hosts | length) as $nr_hosts
	| if $first == null then "\(if any(.hosts[]; .open) then "No window has ended" else "No windows" end) on \($nr_hosts | plural("host"))."
	elif $first.is_function then
		"Most widespread: \($first | probably)\($first.name), on \($first.hosts | length) of \($nr_hosts | plural("host"))"
	else "No culprit on any of \($nr_hosts | plural("host"))" end;

def not_read: if (.unreadable | length) == 0 then empty
	else "Not read (missing, no permission, damaged, not an archive, or no report of this version): \(.unreadable | some(8))" | wrapped("") end;

def still_open: .hosts | map(select(.open).host) | if length == 0 then empty
	else "Still open when the archive was made, and not counted: windows on \(some(8))" | wrapped("") end;

def printed: (.hosts | map(.host)) as $hosts | .culprits as $all
	| answer, still_open, not_read,
	(if ($all | length) == 0 then empty else
		"\n  hosts  windows    in all   longest  function",
		($all[:20][] | "\(.hosts | length | tostring | right(7))\(.windows | tostring | right(9))" +
			"\(.total_ns | duration | right(10))\(.worst_ns | duration | right(10))  \(probably)\(.name)"),
		(if ($all | length) > 20 then "  and \(($all | length) - 20) more" else empty end),
		($all | map(select(.is_function)) | .[:$top][] | described($hosts)) end);

[inputs] | merged
	| if (.hosts | length) == 0 then "trace-irqoff: no archive could be merged\n\(not_read)\n" | halt_error(1)
	elif $output == "json" then {schema: 1} + . else printed end
