# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff version: of this program and of the module.

command_version() {
	echo "trace-irqoff $VERSION"
	if loaded && [ "$(id -u)" = 0 ]; then
		echo "module, loaded: $(value version)"
	else
		echo "module, for $(uname -r):" \
			"$(modinfo -F version trace_irqoff 2>/dev/null || echo none installed)"
	fi
}
