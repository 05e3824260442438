
// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Draws the page from the JSON in #data, which output-page.awk describes. It shows what the JSON says: it
 * judges nothing. All text of the data becomes text nodes or attributes, never HTML. What the reader has
 * chosen ("view") is in the fragment of the URL. Without this script, the text report is shown.
 *
 * "ms" are milliseconds after the begin of the first window.
 */
"use strict";

const SCHEMA = 3;
const KINDS = {hardirq: "interrupts off", softirq: "softirqs delayed", nosched: "tasks delayed"};
const ROW = 22;		/* height of a row of the icicle, in pixels */
const LANE = 30;	/* height of a CPU: a third for each kind */
const BAR = 9;
const WIDE = 8;		/* no samples in narrower bars: the marks would hide the colour */
const REPLIES = 40;	/* height of the lane of ping replies */
const LEFT = 56;	/* width of the names of lanes */
const SHORTEST = 0.01;	/* range of the time line, in ms */

const by_id = id => document.getElementById(id);

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (typeof value === "function")
			node.addEventListener(name, value);
		else
			node.setAttribute(name, value);
	node.append(...children);
	return node;
}

/* A function among the attributes is a listener. */
const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
	fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function duration(ns) {
	if (ns < 1e7)
		return (ns / 1e6).toFixed(2) + " ms";
	if (ns < 1e9)
		return Math.floor(ns / 1e6) + " ms";
	return ns < 1e11 ? (ns / 1e9).toFixed(2) + " s" : Math.floor(ns / 1e9) + " s";
}

/* An upper bound: not less than it is. */
const duration_up = ns => duration(ns + (ns < 1e7 ? 9999 : ns < 1e9 ? 999999 : 9999999));

const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");

let data;		/* what the JSON has */
let windows;		/* open and ended, by their begin */
let base_ns;		/* begin of the first window, since 1970 */
let whole;		/* [from, to] of all windows and replies, in ms */
let view = {};		/* cpu, kind, culprit, from, to, window, frame: texts, or undefined */

/* ---- the data ---- */

/* Adds to each window: begin and end (ms), its culprit if it is open, a name and a number. */
function prepare() {
	const replies = data.ping ? data.ping.replies : [];

	for (const reply of replies) {
		const [s, fraction = ""] = reply[0].split(".");
		reply.end_ns = BigInt(s + (fraction + "000000000").slice(0, 9));
	}
	const last = data.records.map(w => BigInt(w.end_ns)).concat(replies.map(r => r.end_ns))
		.reduce((a, b) => a > b ? a : b, 0n);

	windows = data.open.concat(data.records);
	/* The module does not record when an open window began. Draw it up to the end of the time line. */
	for (const w of windows)
		w.last_ns = w.open ? last : BigInt(w.end_ns);
	base_ns = windows.map(w => w.last_ns - BigInt(w.latency_ns)).reduce((a, b) => a < b ? a : b, last);
	for (const w of windows) {
		w.end = Number(w.last_ns - base_ns) / 1e6;
		w.begin = w.end - w.latency_ns / 1e6;
		if (w.open) {
			const i = data.culprits.findIndex(c => c.function && c.function === w.culprit);

			w.row = i < 0 ? null : i;
		}
		w.cause = w.row === null ? w.culprit ?? `(${w.reason})` : culprit_name(w.row);
	}
	windows.sort((a, b) => a.begin - b.begin);
	windows.forEach((w, i) => { w.number = i; });
	for (const reply of replies)
		reply.end = Number(reply.end_ns - base_ns) / 1e6;
	const ends = windows.map(w => w.end).concat(replies.map(r => r.end), [1]);
	const begins = windows.map(w => w.begin).concat(replies.map(r => r.end - r[1]));
	whole = [begins.reduce((a, b) => Math.min(a, b), 0), ends.reduce((a, b) => Math.max(a, b), 0)];
	const margin = (whole[1] - whole[0]) / 100;
	whole = [whole[0] - margin, whole[1] + margin];
}

const colour = culprit => culprit === null || culprit > 7 ? "other" : "c" + culprit;
const culprit_name = i => data.culprits[i].name;
const passes_filters = w => (!view.cpu || w.cpu === +view.cpu) && (!view.kind || w.kind === view.kind) &&
	(!view.culprit || w.row === +view.culprit);
const stack_of = index => data.stacks[index];

/* Empty from the year 10000: a Date may not have it, and its text has other columns. */
function clock(ms) {
	const date = new Date(Math.round(Number(base_ns) / 1e6 + ms));

	return date < 253402300800000 ? date.toISOString() : "";
}

/* To milliseconds, of a time in ISO 8601. */
const moment = time => time.slice(0, 23).replace("T", " ");

/* The time of open windows alone is not known. */
const has_clock = () => data.records.length > 0 || data.ping !== null;

/* ---- the view ---- */

function read_view() {
	view = {};
	for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
		if (["cpu", "kind", "culprit", "from", "to", "window", "frame"].includes(name) && value !== "")
			view[name] = value;
	/* The link may belong to another page, or have been changed by hand. */
	for (const id of ["cpu", "kind", "culprit"])
		if (![...by_id(id).options].some(option => option.value === view[id]))
			delete view[id];
	const [from, to] = span();

	if (!(view.from && to - from >= SHORTEST / 2)) {
		delete view.from;
		delete view.to;
	}
}

function change_view(changes) {
	Object.assign(view, changes);
	const text = new URLSearchParams(Object.entries(view).filter(([, value]) => value)).toString();

	history.replaceState(null, "", "#" + text);
	read_view();
	draw_view();
}
