# SPDX-License-Identifier: GPL-2.0
# Copyright (c) 2026 The trace_irqoff authors
#
# trace-irqoff help, and COMMAND --help. A line has at most 80 columns.

help_tracing="\
  -t, --threshold TIME   record windows at least this long (default: as it is;
                         50ms in a module that was just loaded)
  -p, --period TIME      check busy CPUs at least this often (default:
                         as it is, lowered to half of the threshold; 10ms in a
                         module that was just loaded)
  -c, --cpus LIST        monitor these CPUs, for example 0-3,8
                         (default: as it is; all but isolated after load)
      --nosched on|off   record delayed tasks, too (default: as it is; on after
                         load)
      --nmi on|off       load the module with this parameter; on: send NMIs even
                         if a driver may panic on them
      --nr-records N     load the module with room for N records"
help_exit_code="\
      --exit-code        exit with status 3 if there are windows"
help_formats="\
  -n, --top N            show the longest window of N culprits (default: 5)
      --format FORMAT    text, json, jsonl (one window a line), html (a page)
                         or folded (for flame graphs)
                         (default: text)
$help_exit_code"
help_private="\
      --redact           leave out host names, logs and command lines"
help_slow="\
      --slow TIME        call a reply slow if it took longer than this
                         (default: 10ms more than the fastest)"

# describe ARGUMENTS EXAMPLE: the help of a command: its text on stdin, with usage and example
describe() {
	echo "Usage: trace-irqoff $help_of $1"
	cat
	printf '\nExample: trace-irqoff %s %s\n' "$help_of" "$2"
}

# command_help [COMMAND]
command_help() {
	help_of=$1
	# The shell itself writes this. It ends silently when the reader has seen enough.
	trap - PIPE
	case $1 in
	'' | help) cat <<EOT ;;
Usage: trace-irqoff COMMAND [OPTIONS]   ("COMMAND --help": options, an example)
Find who kept interrupts off, or delayed softirqs or tasks. Start with "run".

  run                trace for a while, report, and restore the settings
  report             report what is recorded, also of earlier runs or an archive
  follow             print windows as they come, as text or JSON
  ping HOST          ping HOST while tracing; find windows behind slow replies
  explain FUNCTION   show what is known of functions: causes, fixes, what helps
  collect            write what an incident ticket needs into an archive
  merge ARCHIVE...   show the culprits of many hosts
  handlers           count for a while what interrupts and softirqs take
  metrics            print metrics for Prometheus
  on                 load the module if needed, and start tracing
  off                stop tracing
  status             show settings and counters
  clear              delete all records and histograms
  version            show the versions of this program and of the module
  help [COMMAND]     show this help, or that of a command

help, version, explain, merge and report FROM need no root.
Exit status: 0 done, 1 error, 2 bad usage, 3 windows (--exit-code), 4 loading.
A TIME has a unit: 500us, 1.5s, 5m. Manual: man trace-irqoff
EOT
	run) describe '[OPTIONS]' '-t 20ms -d 5m' <<EOT ;;
Trace for a while, report, and restore the settings. Ctrl-C ends it early.

  -d, --duration TIME    trace for this time (default: 60s, unless --windows)
      --windows N        stop after N windows
$help_tracing
$help_formats
  -o, --output FILE      also write an archive, as collect does
$help_private
EOT
	report) describe '[FROM] [OPTIONS]' '--last --kind hardirq --since 04:10 --until 04:30' <<EOT ;;
Report what the module has recorded so far, what an earlier run recorded, or
what FROM has: an archive, a directory, records, lines of follow (needs jq), or
a kernel log with soft or hard lockups or RCU stalls; - is stdin.

      --last             report the newest run that is kept
      --list             list the runs that are kept
      --run N            report run N of that list (1: the newest)
$help_formats
      --ping PINGLOG     show which slow replies in this log of "ping -D" had to
                         wait for this host, while it was tracing
$help_slow
Report only windows
      --cpu N            on this CPU
      --kind KIND        hardirq (interrupts off), softirq (softirqs delayed) or
                         nosched (tasks delayed)
      --comm NAME        of tasks with this name
      --pid N            of tasks with this PID, or of this process
      --cgroup TEXT      of tasks whose cgroup path contains this text
      --function NAME    with this function on a stack
      --since WHEN       that ended in the last 10m, or after 04:10 (UTC)
      --until WHEN       that ended before this time
      --min TIME         at least this long
EOT
	follow) describe '[OPTIONS]' '--exec "trace-irqoff collect -d 1s"' <<EOT ;;
Print each window when it ends, until Ctrl-C is pressed. The settings stay as
they are: "on" or a run in another terminal traces. If the module is not loaded,
wait.

      --format FORMAT    text, with windows that have not ended, or jsonl
                         (default: text on a terminal, else jsonl)
      --exec CMD         run CMD with sh when windows come, which are its stdin;
                         at most once a minute, and one at a time
EOT
	ping) describe 'HOST [OPTIONS]' '192.0.2.7 --count 1000' <<EOT ;;
Ping HOST while tracing this host, and show which slow replies had to wait for
this host. Ctrl-C ends it. The settings are restored.

  -i, --interval TIME    time between two pings (default: 50ms)
      --count N          stop after N pings (default: when Ctrl-C is pressed)
$help_slow
$help_tracing
$help_exit_code
EOT
	explain) echo "Usage: trace-irqoff explain FUNCTION...
Show known causes with these functions on the stack, their fixes and what helps.
FUNCTION may be as logs print it: \"foo+0x2d1/0xd20 [bar]\". The exit status is 1
if nothing is known. For a whole log: trace-irqoff report LOG" ;;
	collect) describe '[OPTIONS]' '-o /root/ticket.tar.gz' <<EOT ;;
Write the records, the report and the state of this host into an archive, or
what an earlier run kept.

      --last             archive the newest run that is kept
      --run N            archive run N of "report --list"
  -o, --output FILE      the archive (default: trace-irqoff-HOST-TIME.tar.gz)
  -d, --duration TIME    time between two readings of counters (default: 5s)
$help_private
EOT
	handlers) describe '[OPTIONS]' '-d 30s' <<EOT ;;
Count for a while how long each interrupt, softirq, timer, tasklet and NAPI poll
takes, on each CPU. Ctrl-C ends it early.

  -d, --duration TIME    count for this time (default: 10s)
      --each-cpu         a line for each handler of each CPU
      --format FORMAT    text or json (all rows, with histograms)
EOT
	merge) describe 'ARCHIVE... [OPTIONS]' 'tickets/*.tar.gz' <<EOT ;;
Show which hosts have which culprit, and how they differ from the others. Needs
jq. The archives are those of run -o and collect.

  -n, --top N            describe N culprits (default: 5)
      --format FORMAT    text or json
EOT
	metrics) describe '[OPTIONS]' '| grep windows_total' <<EOT ;;
Print metrics for Prometheus.

  -o, --output FILE      write them to FILE atomically (default: stdout)
EOT
	on) describe '[OPTIONS]' '-t 20ms' <<EOT ;;
Load the module if needed, start tracing, and show the status.

$help_tracing
EOT
	off) describe '[OPTIONS]' '-u --end-run' <<EOT ;;
Stop tracing. The records stay in the module.

  -u, --unload           also unload the module, after saving the records: see
                         "trace-irqoff report --last"
      --end-run          first end a run or ping of another process, which then
                         prints its report
EOT
	status) echo "Usage: trace-irqoff status [OPTIONS]
Show settings and counters, and which process holds the module.

      --format FORMAT    text or json (counters as numbers, times in ns)

Example: trace-irqoff status --format json | jq .status.nmi" ;;
	clear) echo "Usage: trace-irqoff clear
Delete all records and histograms. The settings stay." ;;
	version) echo "Usage: trace-irqoff version
Show the versions of this program and of the module, loaded or installed." ;;
	*) unknown_command "$1" ;;
	esac
}
