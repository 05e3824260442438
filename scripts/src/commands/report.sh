# SPDX-License-Identifier: GPL-2.0
#
# trace-irqoff report: what the module has recorded, or what has been kept of that.

command_report() {
	need_records "$opt_from"
	make_tmp
	keep_files "$opt_from"
	report "$tmp" "$opt_mode" newest="$opt_newest"
}
