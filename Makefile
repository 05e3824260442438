# SPDX-License-Identifier: GPL-2.0
#
# make            build the module for the running kernel (or KDIR), and the helper
# make helper     put together the helper, in build
# make demo       see it at work in a VM; installs what it needs, as root
# make check      lint, and all tests on all kernels in VMs; likewise
# make check-long what takes longer
# make check-packages  packages, installed, updated and removed on Debians in VMs
# make check-incidents  real incidents, caused in VMs, and what the report says about them
# make bench      what it costs, and how well it measures: the plots of BENCHMARKS.md
# make bench-host some of these figures on this machine
# make compare    beside the tools that people use today, in VMs; likewise
# make help       the rest
#
# What kbuild reads is in Kbuild.

KREL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KREL)/build
MODULE := trace_irqoff

# The helper first: it needs no headers, and the module may find none.
all: helper modules

# One target a call: from 6.13 on kbuild does not take several.
modules: headers
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

clean: headers
	rm -rf build
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

headers:
	@[ -e $(KDIR)/Makefile ] || { \
		echo "No kernel headers in $(KDIR)." >&2; \
		echo "Install them (Debian: apt-get install linux-headers-$(KREL))," >&2; \
		echo "or name a build directory: make KDIR=..." >&2; \
		exit 1; }

built:
	@[ -e $(MODULE).ko ] || { echo "Build it first: make" >&2; exit 1; }

install: install-module install-helper
uninstall: uninstall-module uninstall-helper

# depmod is for the running system; a package's own scripts call it later.
install-module: headers built
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(DESTDIR) modules_install
	@[ -n "$(DESTDIR)" ] || depmod $(release)

# What the module is for, and where modules_install puts it. "make kernelrelease" and
# kernel.release are no guide: 6.1.192 in Debian's headers of 6.1.0-56-amd64.
release = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h)

uninstall-module: headers
	rm -f $(foreach d,extra updates,\
		$(wildcard $(DESTDIR)/lib/modules/$(release)/$(d)/$(MODULE).ko*))
	@[ -n "$(DESTDIR)" ] || depmod $(release)

# The helper, one file that is made from its parts.
HELPER_SOURCES := scripts/generate \
	$(foreach dir,src src/commands src/awk report,$(wildcard scripts/$(dir)/*))

helper: build/trace-irqoff

# A file that exists is complete: it is written under another name.
build/trace-irqoff: $(HELPER_SOURCES)
	@mkdir -p build
	scripts/generate >$@.new
	@chmod 755 $@.new
	@mv $@.new $@

# Where it is installed, and what belongs to it. Units have its path.
PREFIX ?= /usr/local
UNITS := $(notdir $(wildcard scripts/units/*))
EXAMPLES = $(PREFIX)/share/doc/trace-irqoff/examples
helper_files = $(PREFIX)/sbin/trace-irqoff \
	$(PREFIX)/share/man/man8/trace-irqoff.8 \
	$(PREFIX)/share/bash-completion/completions/trace-irqoff \
	$(PREFIX)/share/trace-irqoff/trace-irqoff.rules.yml \
	$(addprefix $(EXAMPLES)/,$(notdir $(wildcard scripts/examples/*))) \
	$(addprefix $(PREFIX)/lib/systemd/system/,$(UNITS))

install-helper: helper
	install -D -m 755 build/trace-irqoff $(DESTDIR)$(PREFIX)/sbin/trace-irqoff
	install -D -m 644 scripts/man/trace-irqoff.8 \
		$(DESTDIR)$(PREFIX)/share/man/man8/trace-irqoff.8
	install -D -m 644 scripts/completions/trace-irqoff.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/trace-irqoff
	install -D -m 644 scripts/trace-irqoff.rules.yml \
		$(DESTDIR)$(PREFIX)/share/trace-irqoff/trace-irqoff.rules.yml
	mkdir -p $(DESTDIR)$(EXAMPLES) $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 scripts/examples/* $(DESTDIR)$(EXAMPLES)
	for unit in $(UNITS); do \
		sed 's|/usr/sbin/|$(PREFIX)/sbin/|' scripts/units/$$unit \
			>$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit || exit 1; \
	done

uninstall-helper:
	rm -f $(addprefix $(DESTDIR),$(helper_files))
	for dir in $(EXAMPLES) $(dir $(EXAMPLES)) $(PREFIX)/share/trace-irqoff; do \
		! [ -d $(DESTDIR)$$dir ] || rmdir $(DESTDIR)$$dir || exit 1; \
	done

load: built
	insmod $(MODULE).ko $(PARAMS)

unload:
	rmmod $(MODULE)

demo:
	selftests/demo/demo

check:
	selftests/check

check-long:
	selftests/check --long

check-packages:
	selftests/check --packages

check-incidents:
	selftests/incidents/run

# Each replaces its figures in the tree, and draws the plots anew.
bench:
	selftests/bench/bench
	cp bench.csv Documentation/bench
	selftests/bench/plot Documentation/bench

compare:
	selftests/compare/compare
	cp compare.csv Documentation/bench
	selftests/bench/plot Documentation/bench

bench-host:
	$(MAKE) -C selftests
	selftests/bench/bench --host

plots:
	selftests/bench/plot Documentation/bench

lint:
	selftests/lint all

include packaging/packages.mk

help:
	@echo "make                build $(MODULE).ko for $(KREL), and the helper"
	@echo "make helper         the helper, in one file, in build"
	@echo "make KDIR=DIR       for the kernel whose build directory is DIR"
	@echo "make load           load it (PARAMS=\"enable=1 threshold=20ms\")"
	@echo "make unload         unload it"
	@echo "make install        module and helper, into /lib/modules and /usr/local"
	@echo "                    (DESTDIR=DIR: below DIR; PREFIX=/usr: there)"
	@echo "make uninstall      out of there"
	@echo "make install-module, make install-helper    one of the two"
	@echo "make dkms-install   have DKMS build it, for $(KREL) and each later kernel"
	@echo "make dkms-remove    and forget it"
	@echo "make deb, make rpm  packages of module and helper, into dist"
	@echo "make dist           the release tarball and its checksum, likewise"
	@echo "make clean          remove what was built"
	@echo "make demo           see it at work in a VM (as root)"
	@echo "make check          all tests on all kernels in VMs (as root)"
	@echo "make check-long     the tests that take longer, likewise (40 minutes)"
	@echo "make check-packages packages on Debians in VMs, first to last, likewise (25 minutes)"
	@echo "make check-incidents real incidents, caused in VMs of Debian 11 to 13 (as root)"
	@echo "make bench          its costs and its accuracy, counted in VMs (as root)"
	@echo "make bench-host     some of these figures on this machine (as root, 5 minutes)"
	@echo "make plots          the plots of BENCHMARKS.md from Documentation/bench/*.csv"
	@echo "make compare        cost and findings beside other tools, likewise (45 minutes)"
	@echo "make lint           checkpatch, sparse, W=1, shellcheck (as root)"

.PHONY: all helper modules clean headers built load unload
.PHONY: install install-module install-helper
.PHONY: uninstall uninstall-module uninstall-helper
.PHONY: demo check check-long check-packages check-incidents bench bench-host plots
.PHONY: compare lint help
