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
		echo "dkms not found (Debian, Ubuntu: apt-get install dkms; RHEL: dnf install dkms, from EPEL)" >&2; exit 1; }

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

# Modules for kernels that do not run here, and packages of them.
modules-for:
	@[ -n "$(RELEASES)" ] || { echo 'Name the kernels: make modules-for RELEASES="6.1.0-56-amd64 ..."' >&2; exit 1; }
	packaging/modules build $(RELEASES)

module-deb module-rpm:
	@[ -n "$(RELEASE)" ] || { echo "Name the kernel: make $@ RELEASE=6.1.0-56-amd64" >&2; exit 1; }
	packaging/modules $(@:module-%=%) $(RELEASE)

# A container image for Kubernetes and others. IMAGE: its name; BUILDER: podman, buildah or docker. With a
# timestamp, which docker does not take, the same files make the same image.
IMAGE ?= trace-irqoff
BUILDER ?= podman

image:
	rm -rf dist/image
	mkdir -p dist
	packaging/container/image dist/image
	$(BUILDER) build $(if $(filter %docker,$(BUILDER)),,--timestamp $$(date -u -d "$$(packaging/version date)" +%s)) \
		-t $(IMAGE) -f packaging/container/Containerfile dist/image

.PHONY: dkms-source has-dkms dkms-install dkms-remove dist deb rpm modules-for module-deb module-rpm image
