/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (c) 2026 The trace_irqoff authors */
/* The version of the module; the packages and the helper read it here. */
#ifndef TRACE_IRQOFF_VERSION_H
#define TRACE_IRQOFF_VERSION_H

#define TRACE_IRQOFF_VERSION "1.0.0"

/* Of the files in /proc: counted up when a script that reads them has to change. */
#define TRACE_IRQOFF_FORMAT "2"

#endif /* TRACE_IRQOFF_VERSION_H */
