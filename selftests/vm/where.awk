# SPDX-License-Identifier: GPL-2.0
#
# Where the CPUs of a VM were. Reads a kallsyms and then what QEMU's monitor answered to
# "info registers -a" and to "x/gx" of their stacks; prints a line for each CPU: the function,
# whether interrupts were off, and what on its stack looks like return addresses, the newest
# first (some of those may be left over). Addresses that no symbol is for, as those of modules,
# are printed as they are.
#
# Variables: map (the name of the kallsyms), deepest (so many names of a stack)

# Addresses are 16 digits each, so that they can be compared as strings; awk's numbers have
# too few bits.
FILENAME == map {
	if ($2 ~ /^[Tt]$/) {
		addresses++
		address[addresses] = $1
		name[addresses] = $3
		if ($3 == "_stext" || $3 == "_text")
			first_text = $1
	}
	if ($3 == "_etext")
		last_text = $1
	next
}

# function_at(VALUE): its name, or the address itself
function function_at(value,	low, high, middle) {
	if (value < first_text || value >= last_text)
		return "0x" value
	low = 1
	high = addresses
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if ("" address[middle] <= "" value)
			low = middle
		else
			high = middle - 1
	}
	return name[low]
}

# Modules are behind the kernel; on arm64, before it.
function is_code(value) {
	return value >= first_text && value < last_text || value ~ /^(ffffffff[c-e]|ffff8000[0-7])/
}

function finish() {
	if (cpu != "")
		print "CPU " cpu " was in " at ", interrupts " state (stack ? "; on its stack: " stack : "")
	stack = ""
	depth = 0
}

{ sub(/\r$/, "") }

/^CPU#[0-9]+/ {
	cpu_of_registers = $1
	sub(/^CPU#/, "", cpu_of_registers)
}

# Bit 9 of the flags: the third digit from the right is odd in its second bit.
/^RIP=/ {
	split($1, part, "=")
	ip[cpu_of_registers] = part[2]
	in_user[cpu_of_registers] = /CPL=3/
	split($2, part, "=")
	interrupts[cpu_of_registers] = \
		substr(part[2], length(part[2]) - 2, 1) ~ /[2367abef]/ ? "on" : "off"
}

/^ PC=/ {
	split($1, part, "=")
	ip[cpu_of_registers] = part[2]
}

# arm64: bit 7 keeps them off, the highest of the second digit from the right.
/^PSTATE=/ {
	split($1, part, "=")
	in_user[cpu_of_registers] = / EL0/
	interrupts[cpu_of_registers] = \
		substr(part[2], length(part[2]) - 1, 1) ~ /[89a-f]/ ? "off" : "on"
}

# The answer to "print/d N", which announces the stack of that CPU.
/^[0-9]+$/ {
	finish()
	cpu = $1 + 0
	at = in_user[cpu] ? "user space" : function_at(ip[cpu])
	state = interrupts[cpu]
	last = ""
}

/^[0-9a-f]+: 0x/ {
	for (i = 2; i <= NF; i++) {
		value = substr($i, 3)
		if (depth == deepest || in_user[cpu] || !is_code(value))
			continue
		word = function_at(value)
		if (word == last)
			continue
		last = word
		stack = stack (stack ? " " : "") word
		depth++
	}
}

END { finish() }
