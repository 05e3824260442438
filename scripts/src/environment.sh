# SPDX-License-Identifier: GPL-2.0
#
# The environment: what is set from outside, and constants that several parts use.

# Decimal points, and ASCII letters only.
export LC_ALL=C
# With CDPATH, cd goes to other directories, and prints them.
unset POSIXLY_CORRECT CDPATH
# Options for tar and gzip that are not ours.
unset TAR_OPTIONS GZIP
# modprobe is in one of these. "su" without "-" leaves them out.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

VERSION=1.0.0

P=${TRACE_IRQOFF_PROC:-/proc/trace_irqoff}
CPUS=${TRACE_IRQOFF_CPUS:-/sys/devices/system/cpu}
INTERRUPTS=${TRACE_IRQOFF_INTERRUPTS:-/proc/interrupts}
ETC=${TRACE_IRQOFF_ETC:-/etc/trace-irqoff}
# Where runs are kept; and where they are kept, in memory, if that cannot be written.
RUNS=${TRACE_IRQOFF_STATE:-/var/lib/trace-irqoff}/runs
RUNS_INSTEAD=${TRACE_IRQOFF_RUN:-/run}/trace-irqoff
PING=${TRACE_IRQOFF_PING:-ping}
KERNEL_COUNTS=${TRACE_IRQOFF_KERNEL_COUNTS:-/sys/kernel}
# Tests put a directory in front of the host's /proc, /sys and /var.
ROOT=${TRACE_IRQOFF_ROOT:-}

# The files of the module.
FILES="status enable sampling_period trace_latency cpus nosched session distribute records histogram active handlers"

# The files that a run keeps and that a report reads, in this order.
EVIDENCE="helper host release kernel_version hardware boot_id run ping.err cgroups suspects host_cpus
	status.before status histogram.before histogram active records interrupts.begin interrupts.end
	pinglog handlers stat.begin stat.end facts"

# What stays with --redact: files that cannot contain a name of this host or of a container, an
# address, a command line or a log. Names of tasks and of devices stay.
KEPT_IF_REDACTED="$FILES status.before histogram.before run helper release kernel_version hardware host host_cpus missing
	suspects interrupts.begin interrupts.end softirqs.begin softirqs.end stat.begin stat.end schedstat.begin
	schedstat.end meminfo.begin meminfo.end softnet_stat.begin softnet_stat.end
	cpuinfo clocksource uptime"

newline='
'
# busybox's shell takes it from outside.
IFS=" 	$newline"

# Exit statuses, besides 0.
ERROR=1
USAGE=2
NOTHING_READ=4		# internal: of the awk program of the report
FOUND_WINDOWS=3		# with --exit-code; the awk program of the report exits with it, too
