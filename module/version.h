/* SPDX-License-Identifier: GPL-2.0 */
/* The one place for the version of module, packages and helper. */
#ifndef TRACE_IRQOFF_VERSION_H
#define TRACE_IRQOFF_VERSION_H

#define TRACE_IRQOFF_VERSION "0.1.0"

#endif /* TRACE_IRQOFF_VERSION_H */
