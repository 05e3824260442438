# SPDX-License-Identifier: GPL-2.0
#
# Prints what each CPU of a VM did: the function, whether interrupts were off, and all code
# addresses on its stack, the newest first. Some of these are no return addresses, or left over from
# calls that have returned. Reads a kallsyms file, and then the answers of QEMU's monitor to "info
# registers -a" and to "x/gx" of the stacks. Addresses without a symbol, for example in modules, are
# printed as numbers.
#
# Variables: map (the path of the kallsyms file), deepest (the maximum number of names per stack)

# Compare addresses as strings: awk's numbers have too few bits. All have 16 digits.
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

# function_at(VALUE): the name of the function, or the address if no symbol is known
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

# Modules are above the kernel; on arm64, below.
function is_code(value) {
	return value >= first_text && value < last_text || value ~ /^(ffffffff[c-e]|ffff8000[0-7])/
}

function finish() {
	if (cpu != "")
		print "CPU " cpu " was in " at ", interrupts " state \
			(stack ? "; on its stack: " stack : "")
	stack = ""
	depth = 0
}

{ sub(/\r$/, "") }

/^CPU#[0-9]+/ {
	cpu_of_registers = $1
	sub(/^CPU#/, "", cpu_of_registers)
}

# Bit 9 of the flags (interrupts on) is bit 1 of the third digit from the right.
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

# arm64: bit 7 of PSTATE (interrupts off) is bit 3 of the second digit from the right.
/^PSTATE=/ {
	split($1, part, "=")
	in_user[cpu_of_registers] = / EL0/
	interrupts[cpu_of_registers] = \
		substr(part[2], length(part[2]) - 1, 1) ~ /[89a-f]/ ? "off" : "on"
}

# The answer to "print/d N": the stack of CPU N follows.
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
