# SPDX-License-Identifier: GPL-2.0
#
# Releases, packages and DKMS. What makes a package is in packaging/package.

VERSION := $(shell packaging/version)
DKMS_SOURCE = $(DESTDIR)/usr/src/$(MODULE)-$(VERSION)

# What DKMS builds from, for it and for packagers.
dkms-source:
	mkdir -p $(addprefix $(DKMS_SOURCE)/module/,detect record show)
	install -m 644 Kbuild $(DKMS_SOURCE)
	install -m 644 module/*.[ch] module/*.mk $(DKMS_SOURCE)/module
	install -m 644 module/detect/*.[ch] $(DKMS_SOURCE)/module/detect
	install -m 644 module/record/*.[ch] $(DKMS_SOURCE)/module/record
	install -m 644 module/show/*.[ch] $(DKMS_SOURCE)/module/show
	$(MAKE) -s dkms-conf >$(DKMS_SOURCE)/dkms.conf

# With the version written out: packagers' tools read it, and are no shell.
dkms-conf:
	@sed 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="$(VERSION)"/' dkms.conf

has-dkms:
	@command -v dkms >/dev/null || { \
		echo "There is no dkms here (Debian: apt-get install dkms)." >&2; exit 1; }

# Twice is no mistake: the second time it is built from what is there then.
dkms-install: has-dkms
	[ -z "$$(dkms status -m $(MODULE) -v $(VERSION))" ] || \
		dkms remove -m $(MODULE) -v $(VERSION) --all
	rm -rf $(DKMS_SOURCE)
	$(MAKE) dkms-source
	dkms add -m $(MODULE) -v $(VERSION)
	dkms build -m $(MODULE) -v $(VERSION) -k $(KREL)
	dkms install -m $(MODULE) -v $(VERSION) -k $(KREL)

dkms-remove: has-dkms
	[ -z "$$(dkms status -m $(MODULE) -v $(VERSION))" ] || \
		dkms remove -m $(MODULE) -v $(VERSION) --all
	rm -rf $(DKMS_SOURCE)
	@[ -z "$$(dkms status -m $(MODULE))" ] || { \
		echo "Other versions are still there:" >&2; dkms status -m $(MODULE) >&2; }

dist deb rpm:
	packaging/package $@

.PHONY: dkms-source dkms-conf has-dkms dkms-install dkms-remove dist deb rpm
