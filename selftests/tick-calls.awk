# SPDX-License-Identifier: GPL-2.0
#
# Reads the output of objdump -dr, and prints a line "FUNCTION CALLER" for each function outside of the
# module that a root reaches by calls and jumps, by whatever branch. Variable: roots, regular
# expressions with blanks between them.

# number(HEX): mawk has no strtonum()
function number(hex,	n) {
	for (; hex != ""; hex = substr(hex, 2))
		n = n * 16 + index("123456789abcdef", substr(hex, 1, 1))
	return n
}

/^Disassembly of section / {
	section = $4
	sub(/:$/, "", section)
	next
}
# The line after a call or a jump: its relocation has the target. Without one, the operand has it.
pending != "" {
	calls[fn] = calls[fn] " " ($2 ~ /^R_/ ? $3 : pending)
	pending = ""
}
$2 ~ /^(callq?|j[a-z]+|bl?|b\..*|c?t?bn?z)$/ && $NF ~ /^</ {
	pending = substr($NF, 2, length($NF) - 2)
}
# A new function
/^[0-9a-f]+ <.*>:$/ {
	fn = substr($2, 2, length($2) - 3)
	is_ours[fn]
	i = ++nr_functions[section]
	start[section, i] = number($1)
	name[section, i] = fn
	if (fn ~ "^(" roots ")$")
		queue[++nr] = fn
}
BEGIN { gsub(/ /, "|", roots) }

# target(OPERAND): the function of "name", "name+0x12", "name-0x4" or ".text+0x12". x86 counts an offset
# in a section from the end of the operand.
function target(operand,	of, i, at) {
	split(operand, of, /[-+]0x/)
	if (!(of[1] in nr_functions))
		return of[1]
	at = number(of[2]) * (operand ~ /-0x/ ? -1 : 1) + 4
	for (i = 1; i < nr_functions[of[1]] && start[of[1], i + 1] <= at; i++)
		;
	return name[of[1], i]
}

END {
	for (i = 1; i <= nr; i++) {
		n = split(calls[queue[i]], operand, " ")
		for (k = 1; k <= n; k++) {
			callee = target(operand[k])
			if (seen[callee, queue[i]]++)
				continue
			if (!(callee in is_ours))
				print callee, queue[i]
			else if (!reached[callee]++)
				queue[++nr] = callee
		}
	}
}
