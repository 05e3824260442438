# SPDX-License-Identifier: GPL-2.0
#
# The environment: what is set from outside, and constants that several parts use.

# Decimal points, and ASCII letters only.
export LC_ALL=C
# The last of them would make cd go elsewhere, and print it.
unset POSIXLY_CORRECT CDPATH
# "su" without "-" leaves out where modprobe is.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

VERSION=0.1.0

P=${TRACE_IRQOFF_PROC:-/proc/trace_irqoff}
CPUS=${TRACE_IRQOFF_CPUS:-/sys/devices/system/cpu}
LOCK=${TRACE_IRQOFF_LOCK:-/run/trace-irqoff.lock}
# What a run saves, for the next one too if it is killed.
SAVED=$LOCK.found
# What a run began with: by that, what it had recorded is found when it was killed.
BEGUN=$LOCK.begun
# Why a run is to end.
END=$LOCK.end
# What runs saw, and where that goes when there it cannot: in memory, most often.
STATE=${TRACE_IRQOFF_STATE:-/var/lib/trace-irqoff}
STATE_INSTEAD=${LOCK%/*}/trace-irqoff
PING=${PING:-ping}

# The files of the module.
FILES="status enable sampling_period trace_latency cpus session distribute records histogram active"

# The files that a run keeps and that a report reads. "helper" is copied first: see is_ours().
EVIDENCE="helper records histogram.before histogram status.before status active cgroups host_cpus
	stuck host release when run pinglog ping.err"

# Exit statuses, besides 0: nothing found.
ERROR=1
USAGE=2
FOUND_WINDOWS=3		# the awk programs of the report and of stuck CPUs exit with it, too
