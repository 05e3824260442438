. "$(dirname "$0")/common.sh"
start_bench
C=/proc/irqoff_cost
m() {
	[ $# = 0 ] || load enable=1 sampling_period="$1" 
	sleep 3
	echo on >$C
	sleep 10
	awk '{ print "    " $0, $NF / $(NF-1)}' $C
	echo off >$C
	[ ! -e $P ] || head -30 $P/histogram
	unload
}
while :; do :; done &
m
m 1000ms
sh -c 'while :; do :; done' &
m 1000ms
kill $!
"$selftests/bin/sleeper" 1000 &
m 1000ms
