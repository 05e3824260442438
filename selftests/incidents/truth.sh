# SPDX-License-Identifier: GPL-2.0
#
# Functions for truth() of an incident: they read the report in $out/text and $out/json.

out=/tmp/incident

# The report must never name these: they only wait, only end a window, or only run other code.
INNOCENT="native_safe_halt pv_native_safe_halt default_idle default_idle_call do_idle
	acpi_idle_do_entry cpuidle_enter_state mwait_idle
	native_queued_spin_lock_slowpath __pv_queued_spin_lock_slowpath queued_spin_lock_slowpath
	queued_read_lock_slowpath queued_write_lock_slowpath _raw_spin_lock _raw_spin_lock_irq
	_raw_spin_lock_irqsave _raw_spin_unlock_irq _raw_spin_unlock_irqrestore
	_raw_read_lock _raw_write_lock_irq smp_call_function_single smp_call_function_many_cond
	finish_task_switch __schedule schedule hrtimer_interrupt update_curr scheduler_tick
	sched_tick rcu_sched_clock_irq multi_cpu_stop
	__list_add_valid __list_add_valid_or_report __list_del_entry_valid
	__list_del_entry_valid_or_report"

# answer: print what $out/text answers, as "FUNCTION<tab>WHO<tab>KINDS". KINDS are of "interrupts",
# "softirqs", "tasks" and "stopped". No other function here depends on these words.
answer() {
	awk '
		name == "" && /^(Culprit: |Probably |No culprit: |Cause: )/ {
			sub(/^(Culprit: |Probably (a CPU that did not answer, or )?|No culprit: |Cause: )/, "")
			if (!match($0, /: (interrupts off|softirqs delayed|tasks delayed|stopped)/))
				exit
			name = substr($0, 1, RSTART - 1)
			sub(/, in .*/, "", name)
			kinds = (/interrupts off/ ? "interrupts " : "") (/softirqs delayed/ ? "softirqs " : "") \
				(/tasks delayed/ ? "tasks " : "") (/: stopped/ ? "stopped " : "")
		}
		/^  [a-z]/	{ is_who = /^  who / }
		is_who		{ who = who " " $0 }
		END {
			gsub(/ +/, " ", who)
			if (name != "")
				printf "%s\t%s\t%s\n", name, who, kinds
		}' "$out/text" | plain_names
}

# plain_names: remove the module, and the suffixes of the compiler, from names in the first column
plain_names() {
	awk -F '\t' -v OFS='\t' '
		{
			if ($1 !~ /^\[/)	# "[user]" is a name, not a module
				sub(/\[[^]]*\]$/, "", $1)
			sub(/[.](isra|constprop|part|cold|llvm|lto_priv)([.].*)?$/, "", $1)
			print
		}'
}

# named_rows: print the rows of $out/text that name a function, which is in column 62, and not, for
# example, "(unknown)". Unlike the JSON, the text has no row for a minor culprit.
named_rows() {
	awk -v OFS='\t' '/^ *[0-9]+ +[0-9.]+ m?s / && substr($0, 62, 1) != "(" {
		print substr($0, 62), substr($0, 45, 16)
	}' "$out/text" | plain_names
}

# is_wrong WORDS: the report must say this, and does not
is_wrong() {
	echo "wrong: $*"
	wrong=1
}

# report_is_right: nothing in truth() is wrong, and no function of $INNOCENT is named
report_is_right() {
	wrong=0
	truth
	innocent
	[ $wrong = 0 ]
}

# first_line FUNCTION WHO KIND: the first line names all three. They are extended regular
# expressions. FUNCTION must match the whole name. WHO must match a part of the line "who", for
# example of "task sh" or "a softirq handler, on top of task ping". KIND must be one of the kinds.
first_line() {
	answer | awk -F '\t' -v name="$1" -v who="$2" -v kind="$3" '
		{ found = $1 ~ "^(" name ")$" && $2 ~ who && $3 ~ "(^| )(" kind ") " }
		END { exit !found }' || is_wrong "the first line names $1, in $2: $3"
}

# innocent [FUNCTION]...: the report names none of these functions, and none of $INNOCENT. It does
# not name user space, where interrupts are on, for windows with interrupts off.
innocent() {
	# shellcheck disable=SC2086 # words
	set -- $INNOCENT "$@"
	named_rows | awk -F '\t' -v names="$*" '
		BEGIN {
			n = split(names, name, " ")
			for (i = 1; i <= n; i++)
				innocent[name[i]] = 1
		}
		$1 in innocent || ($1 == "[user]" && $2 ~ /hardirq/)' | grep . &&
		is_wrong "no innocent function is named"
}

# no_task TASK: the report names no task of this name with a function. TASK is an extended regular
# expression. In $out/json, each culprit has its own line.
no_task() {
	grep -E '^\{"name":.*,"function":".*,"context":"task","comm":"('"$1"')",' "$out/json" &&
		is_wrong "no task $1 is named"
}

# rows_at_most N: the table of the text has at most N rows that name a function
rows_at_most() {
	[ "$(named_rows | wc -l)" -le "$1" ] || is_wrong "at most $1 rows"
}

# names_nobody: there is a first line, and neither this line nor a row names a function
names_nobody() {
	{ answer | grep '^(' && ! named_rows | grep .; } ||
		is_wrong "the report names no function"
}
