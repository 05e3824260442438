
// SPDX-License-Identifier: GPL-2.0
// Copyright (c) 2026 The trace_irqoff authors
/*
 * Draws the page from the JSON in #data, which output-page.awk describes. All its text becomes text nodes or
 * attributes, never HTML. What the reader has chosen ("view") is in the fragment of the URL. Without this
 * script, the text report is shown.
 *
 * "ms" are milliseconds after the begin of the first window.
 */
"use strict";

const SCHEMA = 3;
const KINDS = {hardirq: "interrupts off", softirq: "softirqs delayed", nosched: "tasks delayed"};
const ROW = 22;		/* height of a row of the icicle, in pixels */
const NARROWEST = 0.1;	/* of its frames, in per cent */
const MARK = 4;		/* width that each sample needs in a bar, or the marks would hide its colour */
const REPLY = 5;	/* height of a row of ping replies */
const STRIP = 36;	/* height of the strip of all windows */
const LEFT = 56;	/* width of the names of lanes */
const RIGHT = 8;
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

const plural = (n, word) => n.toLocaleString("en") + " " + word + (n === 1 ? "" : "s");

let data;		/* what the JSON has */
let windows;		/* open and ended, by their begin */
let kinds;		/* those of the windows */
let base_ns;		/* begin of the first window, since 1970 or since boot */
let has_clock;		/* whether it is known when anything was */
let whole;		/* [from, to] of all windows and replies, in ms */
let view = {};		/* cpu, kind, culprit, find, from, to, seq, frame: texts, or undefined */

/* ---- the data ---- */

/* Of "SECONDS.FRACTION". */
function ns_of(text) {
	const [s, fraction = ""] = text.split(".");

	return BigInt(s + (fraction + "000000000").slice(0, 9));
}

/* Adds to each window: begin and end (ms), its parts, the row "open", and what #seq= calls it. */
function prepare() {
	const replies = data.ping ? data.ping.replies : [], range = data.strip ? data.strip.range.map(ns_of) : [];
	const ends = data.records.map(w => BigInt(w.end_ns)).concat(replies.map(r => ns_of(r[0])), range,
		data.open.filter(w => w.seen).map(w => ns_of(w.seen)));
	const last = ends.reduce((a, b) => a > b ? a : b, 0n);

	has_clock = last > 0n;
	windows = data.open.concat(data.records);
	/* Where it is not known when an open window was seen, it is drawn up to the end of the time line. */
	const end_ns = w => !w.open ? BigInt(w.end_ns) : w.seen ? ns_of(w.seen) : last;
	const begin_ns = w => end_ns(w) - BigInt(w.latency_ns);
	const begins = windows.map(begin_ns).concat(replies.map(r => ns_of(r[0]) - BigInt(Math.round(r[1] * 1e6))), range);
	const ids = new Set();
	base_ns = begins.reduce((a, b) => a < b ? a : b, last);
	for (const w of windows) {
		w.begin = Number(begin_ns(w) - base_ns) / 1e6;
		w.end = w.begin + w.latency_ns / 1e6;
		w.id = w.open ? `open-${w.cpu}-${w.kind}` : `${w.seq}`;
		while (ids.has(w.id))
			w.id += ".";
		ids.add(w.id);
		w.row ??= "open";
		w.parts ??= [[w.row, w.latency_ns]];
	}
	windows.sort((a, b) => a.begin - b.begin);
	kinds = Object.keys(KINDS).filter(kind => windows.some(w => w.kind === kind));
	for (const reply of replies) {
		reply.end = Number(ns_of(reply[0]) - base_ns) / 1e6;
		reply.begin = reply.end - reply[1];
	}
	whole = [0, Math.max(Number(last - base_ns) / 1e6, 1)];
	whole = [-whole[1] / 100, whole[1] * 1.01];
}

const colour = row => row === "open" ? "stuck" : row > 7 ? "other" : "c" + row;
const name_of = w => w.open ? w.culprit ?? w.who : data.culprits[w.row].name;
/* Numbers of records begin anew at each boot. */
const holder_of = w => w.holder && windows.find(other => other.seq === w.holder && other.begin < w.end && other.end > w.begin);
const stack_of = index => data.stacks[index];
const words_of = w => `${w.who}: ${w.text}`;
const has_part = (w, row) => w.row === row || w.parts.some(part => part[0] === row);
const passes_filters = w => (!view.cpu || w.cpu === +view.cpu) && (!view.kind || w.kind === view.kind) &&
	(!view.culprit || has_part(w, +view.culprit)) && (!view.find || everything_in(w).includes(view.find.toLowerCase()));

function everything_in(w) {
	w.everything ??= [words_of(w), w.at_end, w.cgroup_path, ...stack_of(w.stack) ?? [],
		...w.samples.flatMap(s => [s.task, ...stack_of(s.stack)])].join(" ").toLowerCase();
	return w.everything;
}

/* ISO 8601; empty from the year 10000, whose text has other columns. */
function clock(ms) {
	const date = new Date(Math.round(Number(base_ns) / 1e6 + ms));

	return date < 253402300800000 ? date.toISOString() : "";
}

const seconds_after_boot = ms => (Number(base_ns) / 1e6 + ms) / 1000;

function moments(from, to) {
	if (data.since_boot)
		return `, ${seconds_after_boot(from).toFixed(3)} to ${seconds_after_boot(to).toFixed(3)} s after boot`;
	if (!has_clock)
		return "";
	return ", " + [from, to].map(ms => clock(ms).slice(0, 23).replace("T", " ")).join(" to ") + (data.from_log ? "" : " UTC");
}

/* ---- the view ---- */

function read_view(text) {
	view = {};
	for (const [name, value] of new URLSearchParams(text))
		if (["cpu", "kind", "culprit", "find", "from", "to", "seq", "frame"].includes(name) && value !== "")
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

	try {
		history.replaceState(null, "", "#" + text);
	} catch {
		/* A frame may have no URL. */
	}
	read_view(text);
	draw_view();
}
