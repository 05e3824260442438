# SPDX-License-Identifier: GPL-2.0
#
# "make" builds the module for the running kernel, and the helper. "make help" lists all targets.
# kbuild reads Kbuild instead of this file.

KREL ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KREL)/build
MODULE := trace_irqoff

# The helper first: it needs no kernel headers.
all: helper modules

# One target for each call: since 6.13, kbuild does not accept several.
modules: headers
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

clean: headers
	rm -rf build
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

headers:
	@[ -e $(KDIR)/Makefile ] || { \
		echo "No kernel headers in $(KDIR)." >&2; \
		echo "Install them (Debian: apt-get install linux-headers-$(KREL))," >&2; \
		echo "or name another build directory: make KDIR=DIR" >&2; \
		exit 1; }

built:
	@[ -e $(MODULE).ko ] || { echo "$(MODULE).ko not found. Build it first: make" >&2; exit 1; }

install: install-module install-helper
uninstall: uninstall-helper uninstall-module

# With DESTDIR, the package runs depmod when it is installed.
install-module: headers built
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(abspath $(DESTDIR)) modules_install
	@[ -n "$(DESTDIR)" ] || depmod $(release)

# The release of the kernel in KDIR. "make kernelrelease" and kernel.release are wrong in Debian's
# headers: 6.1.192 for 6.1.0-56-amd64.
release = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h)

uninstall-module: headers
	rm -f $(foreach d,extra updates,\
		$(wildcard $(DESTDIR)/lib/modules/$(release)/$(d)/$(MODULE).ko*))
	@[ -n "$(DESTDIR)" ] || depmod $(release)

# The helper: one file, generated from its parts.
HELPER_SOURCES := scripts/generate scripts/merge.jq scripts/lines.jq $(wildcard scripts/log*) \
	scripts/causes.tsv $(foreach dir,src src/commands report page,$(wildcard scripts/$(dir)/*))

helper: build/trace-irqoff

# Write to another name, so that an interrupted make leaves no incomplete helper.
build/trace-irqoff: $(HELPER_SOURCES)
	@mkdir -p build
	scripts/generate >$@.new
	@chmod 755 $@.new
	@mv $@.new $@

# The files that install-helper installs. The units contain the path of the helper.
PREFIX ?= /usr/local
UNITS := $(notdir $(wildcard scripts/units/*))
EXAMPLES = $(PREFIX)/share/doc/trace-irqoff/examples
helper_files = $(PREFIX)/sbin/trace-irqoff \
	$(PREFIX)/share/man/man8/trace-irqoff.8 \
	$(PREFIX)/share/bash-completion/completions/trace-irqoff \
	$(PREFIX)/share/trace-irqoff/trace-irqoff.rules.yml \
	$(PREFIX)/share/trace-irqoff/report.schema.json \
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
	install -m 644 scripts/report.schema.json $(DESTDIR)$(PREFIX)/share/trace-irqoff
	install -d $(DESTDIR)$(EXAMPLES) $(DESTDIR)$(PREFIX)/lib/systemd/system
	install -m 644 scripts/examples/* $(DESTDIR)$(EXAMPLES)
	for unit in $(UNITS); do \
		sed 's|/usr/sbin/|$(PREFIX)/sbin/|' scripts/units/$$unit \
			>$(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit || exit 1; \
	done
	chmod 644 $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/,$(UNITS))

uninstall-helper:
	rm -f $(addprefix $(DESTDIR),$(helper_files))
	for dir in $(EXAMPLES) $(dir $(EXAMPLES)) $(PREFIX)/share/trace-irqoff; do \
		! [ -d $(DESTDIR)$$dir ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$dir || exit 1; \
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

# bench replaces figures in Documentation/bench, and draws the plots again.
bench:
	selftests/bench/bench
	cp bench.csv Documentation/bench
	Documentation/bench/plot Documentation/bench

bench-host:
	$(MAKE) -C selftests
	selftests/bench/bench --host

plots:
	Documentation/bench/plot Documentation/bench

lint:
	selftests/lint all

include packaging/packages.mk

help:
	@echo "make                build $(MODULE).ko for $(KREL), and the helper"
	@echo "make KDIR=DIR       build both for the kernel whose build directory is DIR"
	@echo "make helper         build the helper only: build/trace-irqoff"
	@echo "make clean          remove everything that was built"
	@echo "make load           load the module (PARAMS=\"enable=1 threshold=20ms\")"
	@echo "make unload         unload the module"
	@echo
	@echo "make install        install module and helper (PREFIX=/usr/local DESTDIR=)"
	@echo "make uninstall      remove module and helper"
	@echo "make install-module, make install-helper    install only one of them"
	@echo "make uninstall-module, make uninstall-helper  remove only one of them"
	@echo "make dkms-install   let DKMS build the module for $(KREL) and for later kernels"
	@echo "make dkms-remove    undo dkms-install"
	@echo "make deb, make rpm  make packages of module and helper, in dist/"
	@echo "make modules-for RELEASES=\"6.1.0-56-amd64 ...\"  build modules for kernels of Debian"
	@echo "make module-deb RELEASE=..., make module-rpm    make a package of one of these"
	@echo "make image          make a container image with the helper and these modules (IMAGE=NAME)"
	@echo "make dist           make the release tarball and its checksum, in dist/"
	@echo
	@echo "These run as root on Debian, and install what they need:"
	@echo "make demo           make four incidents in a VM, and show the reports about them"
	@echo "make check          run lint, and all tests, in VMs of many kernels"
	@echo "make check-long     run tests that take longer (3 hours)"
	@echo "make check-packages install, upgrade and remove the packages in VMs (25 minutes)"
	@echo "make check-incidents  cause known incidents in VMs with Debian 11 to 13"
	@echo "make bench          measure the cost and accuracy of the module in VMs"
	@echo "make bench-host     measure some of these figures on this machine (5 minutes)"
	@echo "make plots          draw plots of BENCHMARKS.md from Documentation/bench/bench.csv"
	@echo "make lint           run checkpatch, sparse, W=1 and shellcheck"

.PHONY: all helper modules clean headers built load unload
.PHONY: install install-module install-helper
.PHONY: uninstall uninstall-module uninstall-helper
.PHONY: demo check check-long check-packages check-incidents bench bench-host plots
.PHONY: lint help
