# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff version: of this program and of the module.

command_version() {
	# As in command_help()
	trap - PIPE
	echo "trace-irqoff $VERSION"
	# Only root can read it.
	if read_status; then
		echo "module, loaded: $status_version"
	else
		read_host
		version_installed=$(modinfo -F version trace_irqoff 2>/dev/null) || :
		echo "module, for $host_release: ${version_installed:-none installed}"
	fi
}
