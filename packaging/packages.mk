# SPDX-License-Identifier: GPL-2.0
#
# Release tarball, packages and DKMS. packaging/package makes the tarball and the packages.

VERSION := $(shell packaging/version)
DKMS_SOURCE = $(DESTDIR)/usr/src/$(MODULE)-$(VERSION)

# Install the sources that DKMS builds from. The packages have the same sources.
dkms-source:
	for file in Kbuild dkms.conf $(wildcard module/*.mk module/*.[ch] module/*/*.[ch]); do \
		install -D -m 644 $$file $(DKMS_SOURCE)/$$file || exit 1; \
	done

has-dkms:
	@command -v dkms >/dev/null || { \
		echo "dkms not found (Debian: apt-get install dkms)" >&2; exit 1; }

# Build a version again that is already installed.
dkms-install: has-dkms
	$(MAKE) dkms-remove
	$(MAKE) dkms-source
	dkms add -m $(MODULE) -v $(VERSION)
	dkms install -m $(MODULE) -v $(VERSION) -k $(KREL)

dkms-remove: has-dkms
	[ -z "$$(dkms status -m $(MODULE) -v $(VERSION))" ] || \
		dkms remove -m $(MODULE) -v $(VERSION) --all
	rm -rf $(DKMS_SOURCE)
	@[ -z "$$(dkms status -m $(MODULE))" ] || { \
		echo "Other versions are still installed:" >&2; dkms status -m $(MODULE) >&2; }

dist deb rpm:
	packaging/package $@

.PHONY: dkms-source has-dkms dkms-install dkms-remove dist deb rpm
