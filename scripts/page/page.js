
/*
 * Draws the page from the JSON in #data, which output-page.awk describes. It shows what the JSON says: it
 * judges nothing. All text of the data becomes text nodes or attributes, never HTML. What the reader has
 * chosen ("view") is in the fragment of the URL. Without this script, the text report is shown.
 *
 * "ms" are milliseconds after the begin of the first window.
 */
"use strict";

const SCHEMA = 2;
const KINDS = {hardirq: "interrupts off", softirq: "softirqs delayed", nosched: "tasks delayed"};
const ROW = 22;		/* height of a row of the icicle, in pixels */
const LANE = 30;	/* height of a CPU: a third for each kind */
const BAR = 9;
const WIDE = 8;		/* in a bar that is narrower, samples would hide its colour */
const REPLIES = 40;	/* height of the lane of ping replies */
const LEFT = 56;	/* width of the names of lanes */

const by_id = id => document.getElementById(id);

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes))
		if (typeof value === "function")
			node.addEventListener(name, value);
		else if (value !== false && value !== null && value !== undefined)
			node.setAttribute(name, value === true ? "" : value);
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

/* Adds to each window: begin and end (ms), name, colour and a number. */
function prepare() {
	const ended = data.records.map(w => BigInt(w.end_ns));
	const replies = data.ping ? data.ping.replies : [];
	const last = ended.reduce((a, b) => a > b ? a : b, 0n);

	windows = data.open.concat(data.records);
	/* The module does not record when an open window began: it ends with the time line. */
	for (const w of windows)
		w.last_ns = w.open ? last : BigInt(w.end_ns);
	base_ns = windows.map(w => w.last_ns - BigInt(w.latency_ns)).reduce((a, b) => a < b ? a : b, last);
	for (const w of windows) {
		w.end = Number(w.last_ns - base_ns) / 1e6;
		w.begin = w.end - w.latency_ns / 1e6;
		w.named = w.function ?? `(${w.reason})`;
		if (w.open)
			w.culprit = index_or_null(data.culprits.findIndex(c => c.function && c.function === w.function));
	}
	windows.sort((a, b) => a.begin - b.begin);
	windows.forEach((w, i) => { w.number = i; });
	for (const reply of replies) {
		const [s, fraction = ""] = reply[0].split(".");
		reply.end = Number(BigInt(s + (fraction + "000000000").slice(0, 9)) - base_ns) / 1e6;
	}
	const ends = windows.map(w => w.end).concat(replies.map(r => r.end), [1]);
	const begins = windows.map(w => w.begin).concat(replies.map(r => r.end - r[1]));
	whole = [begins.reduce((a, b) => Math.min(a, b), 0), ends.reduce((a, b) => Math.max(a, b), 0)];
	const margin = (whole[1] - whole[0]) / 100;
	whole = [whole[0] - margin, whole[1] + margin];
}

const index_or_null = i => i < 0 ? null : i;
const colour = culprit => culprit === null || culprit === undefined || culprit > 7 ? "other" : "c" + culprit;
const culprit_name = i => data.culprits[i].name;
const is_shown = w => (!view.cpu || w.cpu === +view.cpu) && (!view.kind || w.kind === view.kind) &&
	(!view.culprit || w.culprit === +view.culprit);
const stack_of = index => data.stacks[index];

const clock = ms => new Date(Math.round(Number(base_ns) / 1e6 + ms)).toISOString();
const moment = w => w.time.slice(0, 23).replace("T", " ");

/* ---- the view ---- */

function read_view() {
	view = {};
	for (const [name, value] of new URLSearchParams(location.hash.slice(1)))
		if (["cpu", "kind", "culprit", "from", "to", "window", "frame"].includes(name) && value !== "")
			view[name] = value;
	/* A link may be of another page. */
	if (!data.culprits[view.culprit])
		delete view.culprit;
	if (!(+view.from < +view.to))
		delete view.from;
}

function change_view(changes) {
	Object.assign(view, changes);
	const text = new URLSearchParams(Object.entries(view).filter(([, value]) => value || value === 0)).toString();

	history.replaceState(null, "", "#" + text);
	read_view();
	draw_view();
}

/* ---- parts that do not change ---- */

function list_facts(list, facts) {
	for (const [label, text] of facts)
		list.append(html("dt", {}, label), html("dd", {}, text));
	return list;
}

function draw_answer() {
	const host = `${data.host}, Linux ${data.release}, trace-irqoff ${data.helper}`;
	const words = by_id("text").querySelector("pre").textContent.trim().split("\n");

	by_id("summary").textContent = data.answer === null ? words[0] : data.culprits[data.answer].summary;
	by_id("host").textContent = host +
		(data.duration_ns === null ? "" : `, traced for ${data.duration_ns / 1e9} s`);
	document.title = by_id("summary").textContent + " - " + data.host;
	if (data.answer !== null)
		list_facts(by_id("facts"), data.culprits[data.answer].facts);
	by_id("facts").hidden = data.answer === null;
}

function draw_histograms() {
	for (const [kind, histogram] of Object.entries(data.histograms)) {
		const most = Math.max(...histogram.buckets.map(b => b.count));
		const rows = histogram.buckets.map(b => {
			const amount = html("div");

			/* Logarithmic: a late tick stands among millions. */
			amount.style.width = 100 * Math.log2(b.count + 1) / Math.log2(most + 1) + "%";
			return html("tr", {}, html("th", {scope: "row"}, duration(b.below_ns)), html("td", {}, `${b.count}`),
				html("td", {class: "amount"}, amount));
		});

		if (rows.length)
			by_id("histograms").append(html("table", {}, html("caption", {}, KINDS[kind]),
				html("thead", {}, html("tr", {}, html("th", {scope: "col"}, "less than"),
					html("th", {scope: "col"}, "count"), html("th", {scope: "col"}))),
				html("tbody", {}, ...rows)));
	}
	by_id("lateness").hidden = !by_id("histograms").children.length;
}

function draw_notes() {
	const notes = data.notes.slice();

	if (data.filter)
		notes.unshift(plural(data.filter.other_windows, "other window") + " did not match the filters of this report.");
	if (data.windows > data.records.length)
		notes.unshift(`This page has ${data.records.length} of ${data.windows} windows: the longest and the newest.`);
	if (data.missing_windows)
		notes.unshift(plural(data.missing_windows, "window") + " without a record.");
	if (!Object.keys(data.status).length)
		notes.push("Without the file status, nothing is known of what was traced.");
	for (const text of notes.length ? notes : ["All CPUs were monitored, and all windows are recorded."])
		by_id("notes").append(html("li", {}, text));
	list_facts(by_id("status"), Object.entries(data.status).map(([key, value]) => key.endsWith("_ns") ?
		[key.slice(0, -3), duration(value)] : [key, `${value}`]));
}

function draw_filters() {
	const add = (id, all, options) => {
		by_id(id).append(html("option", {value: ""}, all),
			...options.map(([value, text]) => html("option", {value}, text)));
		by_id(id).addEventListener("change", event => change_view({[id]: event.target.value, frame: "", window: ""}));
	};
	const cpus = [...new Set(windows.map(w => w.cpu))].sort((a, b) => a - b);
	const kinds = Object.keys(KINDS).filter(kind => windows.some(w => w.kind === kind));

	add("cpu", "all", cpus.map(cpu => [cpu, cpu]));
	add("kind", "all", kinds.map(kind => [kind, KINDS[kind]]));
	add("culprit", "all", data.culprits.map((c, i) => [i, `${i + 1}: ${culprit_name(i)}`]));
	by_id("filters").addEventListener("reset", event => {
		event.preventDefault();
		change_view({cpu: "", kind: "", culprit: "", from: "", to: "", window: "", frame: ""});
	});
	by_id("filters").addEventListener("submit", event => event.preventDefault());
	by_id("save").addEventListener("click", save_trace);
	by_id("zoom").addEventListener("click", event => zoom(event.target.dataset.zoom));
}

/* ---- the time line ---- */

const span = () => view.from ? [+view.from, +view.to] : whole;

function zoom(how) {
	const [from, to] = span();
	const step = (to - from) / 4;
	const spans = {in: [from + step, to - step], out: [from - 2 * step, to + 2 * step],
		left: [from - step, to - step], right: [from + step, to + step], all: ["", ""]};

	if (spans[how])
		set_span(...spans[how]);
}

function set_span(from, to) {
	if (to - from >= whole[1] - whole[0])
		from = to = "";
	change_view({from: from === "" ? "" : from.toFixed(4), to: to === "" ? "" : to.toFixed(4)});
}

/* Milliseconds: to 500 ms, then seconds, minutes, hours and days. */
const STEPS = [-3, -2, -1, 0, 1, 2].flatMap(digits => [1, 2, 5].map(n => n * 10 ** digits)).concat(
	[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200].map(s => s * 1000));
const DAY = 86400000;

/* At most so many round times of day, and their distance. */
function ticks(from, to, most) {
	const step = STEPS.find(ms => (to - from) / ms <= most) ?? Math.ceil((to - from) / DAY / most) * DAY;
	const offset = step < 1 ? 0 : Number(base_ns % BigInt(step * 1e6)) / 1e6;
	const list = [];

	for (let t = Math.ceil((from + offset) / step) * step - offset; t <= to; t += step)
		list.push(t);
	return [list, step];
}

function describe(w) {
	return `CPU ${w.cpu}, ${KINDS[w.kind]} for ${duration(w.latency_ns)}, ${w.named}` + (w.open ? ", open" : "");
}

function draw_timeline(shown) {
	const box = by_id("timeline");
	const [from, to] = span();
	const width = Math.max(box.clientWidth, 240);
	const x = ms => LEFT + (ms - from) / (to - from) * (width - LEFT - 8);
	const cpus = [...new Set(windows.filter(w => !view.cpu || w.cpu === +view.cpu).map(w => w.cpu))].sort((a, b) => a - b);
	const replies = data.ping ? data.ping.replies.filter(r => r.end >= from && r.end <= to) : [];
	const top = 20 + (data.ping ? REPLIES : 0);
	const height = top + cpus.length * LANE;
	const picture = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
		"aria-label": "Time line of windows, a lane for each CPU"});
	const [times, step] = ticks(from, to, width / 110);
	const y = w => top + cpus.indexOf(w.cpu) * LANE + Object.keys(KINDS).indexOf(w.kind) * BAR + 2;
	const seen = shown.filter(w => w.end >= from && w.begin <= to);
	const place = new Map();
	const label = t => {
		if (step < 1)
			return `+${t.toFixed(3)} ms`;
		/* The time of open windows alone is not known. */
		if (!data.records.length)
			return `${Math.round(-t - Number(base_ns) / 1e6) / 1000} s ago`;
		return clock(t).slice(step < DAY ? 11 : 5, step < 1000 ? 23 : step < DAY ? 19 : 10);
	};

	for (const t of times) {
		picture.append(svg("line", {class: "grid", x1: x(t), x2: x(t), y1: 16, y2: height}));
		if (x(t) > LEFT && x(t) < width - 44)
			picture.append(svg("text", {x: x(t), y: 12, "text-anchor": "middle"}, label(t)));
	}
	if (data.ping)
		picture.append(svg("text", {x: 2, y: top - 12}, "ping"));
	for (const r of replies) {
		const size = Math.max(2, Math.min(REPLIES - 4, Math.log10(Math.max(r[1], 0.1) * 10) * 9));

		picture.append(svg("line", {class: r[1] > data.ping.slow_ms ? "reply slow" : "reply",
			x1: x(r.end), x2: x(r.end), y1: top - size, y2: top},
		svg("title", {}, `reply after ${r[1]} ms`)));
	}
	cpus.forEach((cpu, i) => picture.append(
		svg("line", {class: "grid", x1: 0, x2: width, y1: top + i * LANE, y2: top + i * LANE}),
		svg("text", {x: 2, y: top + i * LANE + 16}, "CPU " + cpu)));
	for (const w of seen) {
		const left = Math.max(x(w.begin), LEFT);
		const size = Math.max(Math.min(x(w.end), width - 8) - left, 3);

		place.set(w.seq, [left + size / 2, y(w) + BAR / 2]);
		picture.append(svg("rect", {class: `bar ${colour(w.culprit)}${w.open ? " open" : w.holder ? " waiter" : ""}` +
			(view.window === `${w.number}` ? " chosen" : ""), x: left, y: y(w), width: size, height: BAR, rx: 1,
		"data-window": w.number, role: "button", tabindex: -1, "aria-label": describe(w)},
		svg("title", {}, describe(w))));
		for (const sample of w.samples) {
			const at = x(w.begin + sample.after_ns / 1e6);

			if (size >= WIDE && at >= LEFT && at <= width - 8)
				picture.append(svg("line", {class: "mark", x1: at, x2: at, y1: y(w), y2: y(w) + BAR}));
		}
	}
	for (const w of seen)
		if (w.holder && place.has(w.holder)) {
			const [x1, y1] = place.get(w.seq), [x2, y2] = place.get(w.holder);

			picture.append(svg("line", {class: "wait", x1, y1, x2, y2}));
		}
	picture.addEventListener("click", event => choose(event.target));
	walk_by_keys(picture, ".bar", choose);
	drag(picture, from, to, width);
	const focused = box.contains(document.activeElement) ? document.activeElement.dataset.window : null;
	box.replaceChildren(picture);
	restore_focus(box, focused && `[data-window="${focused}"]`);
}

function choose(target) {
	if (target.dataset.window !== undefined)
		change_view({window: view.window === target.dataset.window ? "" : target.dataset.window});
}

function restore_focus(box, selector) {
	const target = selector && box.querySelector(selector);

	if (target) {
		for (const other of box.querySelectorAll("[tabindex='0']"))
			other.setAttribute("tabindex", -1);
		target.setAttribute("tabindex", 0);
		target.focus({preventScroll: true});
	}
}

/* One of the items takes the focus; arrow keys go to the nearest one in their direction. */
function walk_by_keys(picture, selector, press) {
	const items = [...picture.querySelectorAll(selector)];
	const centre = item => {
		const at = name => +item.getAttribute(name);

		return [at("x") + at("width") / 2, at("y")];
	};
	const directions = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};

	if (items.length)
		items[0].setAttribute("tabindex", 0);
	picture.addEventListener("keydown", event => {
		const item = event.target.closest(selector), direction = directions[event.key];

		if (!item || event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			press(item);
		} else if (direction) {
			event.preventDefault();
			const [x, y] = centre(item);
			let best = null, least = Infinity;

			for (const other of items) {
				const [dx, dy] = [centre(other)[0] - x, centre(other)[1] - y];
				const along = dx * direction[0] + dy * direction[1];
				const across = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
				const far = direction[0] ? along + 1000 * across : 1000 * along + across;

				if (other !== item && along > 0 && far < least)
					[best, least] = [other, far];
			}
			if (best) {
				item.setAttribute("tabindex", -1);
				best.setAttribute("tabindex", 0);
				best.focus();
			}
		}
	});
}

/* A drag over the time line zooms to the range. */
function drag(picture, from, to, width) {
	let begin = null, range = null;
	const at = event => event.clientX - picture.getBoundingClientRect().left;
	const time = x => from + (Math.max(x, LEFT) - LEFT) / (width - LEFT - 8) * (to - from);

	picture.addEventListener("pointerdown", event => { begin = event.button ? null : at(event); });
	picture.addEventListener("pointermove", event => {
		if (begin === null || Math.abs(at(event) - begin) < 6)
			return;
		if (!range) {
			range = svg("rect", {class: "range", y: 0, height: "100%"});
			picture.append(range);
			picture.setPointerCapture(event.pointerId);
		}
		range.setAttribute("x", Math.min(begin, at(event)));
		range.setAttribute("width", Math.abs(at(event) - begin));
	});
	for (const end of ["pointerup", "pointercancel"])
		picture.addEventListener(end, event => {
			const first = begin, dragged = range;

			begin = range = null;
			if (dragged)
				dragged.remove();
			if (dragged && end === "pointerup")
				set_span(time(Math.min(first, at(event))), time(Math.max(first, at(event))));
		});
}

function draw_legend(shown) {
	const names = new Map();

	for (const w of shown) {
		const name = colour(w.culprit);

		if (!names.has(name))
			names.set(name, new Set());
		names.get(name).add(name === "other" ? w.named : `${w.culprit + 1}: ${culprit_name(w.culprit)}`);
	}
	by_id("legend").replaceChildren(...[...names].sort().map(([name, texts]) =>
		html("li", {}, html("span", {class: "swatch " + name}), texts.size === 1 ? [...texts][0] : "others")));
	by_id("legend").append(html("li", {}, "Rows of a CPU: interrupts off, softirqs, tasks. Upright lines: samples" +
		(shown.some(w => w.holder) ? ". Pale: waited for the window at the other end of the dotted line" : "") +
		(shown.some(w => w.open) ? ". Dashed: open, and its time is not known" : "")));
}

/* ---- one window ---- */

function draw_stack(title, index, named) {
	const names = (stack_of(index) ?? []).slice().reverse();

	return html("div", {class: "stack"}, html("h3", {}, title),
		html("ol", {}, ...names.map(name => html("li", name === named ? {class: "named"} : {}, name))));
}

const task = t => t.comm === "-" || t.comm === null ? "no task" :
	`${t.comm} (PID ${t.pid})` + (t.context && t.context !== "task" ? ", in " + t.context : "");

function draw_window(w) {
	const culprit = w.culprit === null || w.culprit === undefined ? null : data.culprits[w.culprit];
	const named = culprit ? culprit.function : w.function;
	const facts = [
		["task", `${task(w)}, cgroup ${w.cgroup_path ?? w.cgroup}`],
		["length", duration(w.latency_ns) + (w.open ? " so far" : w.max_ns === null ? " or more" : " to " + duration_up(w.max_ns))],
		["ended", w.open ? "open" : moment(w) + " UTC"],
		["culprit", culprit ? culprit.name : w.named],
		["state", w.state],
	];
	const box = html("div", {}, html("h3", {}, `${w.open ? "Open window" : "Window " + w.seq}: CPU ${w.cpu}, ${KINDS[w.kind]}`));
	const holder = windows.find(other => w.holder && other.seq === w.holder);

	if (w.pending.length)
		facts.push(["waited", "softirqs " + w.pending.join(", ")]);
	if (w.steal_ns)
		facts.push(["stolen", duration(w.steal_ns) + " by the hypervisor"]);
	if (w.paused_ns)
		facts.push(["paused", `for ${duration(w.paused_ns)} the CPU executed nothing`]);
	if (!w.begin_seen)
		facts.push(["began", "before its CPU was monitored"]);
	box.append(list_facts(html("dl"), facts));
	if (holder)
		box.append(html("p", {}, "Waited for ", html("button", {type: "button", class: "link",
			click: () => change_view({window: `${holder.number}`})}, describe(holder)), "."));
	box.append(html("div", {class: "stacks"},
		...w.samples.map(s => draw_stack(`${duration(s.after_ns)}: ${task(s)}`, s.stack, named)),
		...w.stack === null ? [] : [draw_stack("at the end", w.stack, named)]));
	return box;
}

/* ---- culprits ---- */

function draw_culprits() {
	const one = (c, i) => {
		const box = html("details", {"data-culprit": i}, html("summary", {}, html("span", {class: "swatch " + colour(i)}),
			html("strong", {}, `${i + 1}: ${c.name}`), html("span", {class: "numbers"},
				` ${c.sure || !c.function ? "" : "(probably) "}` + (c.windows ? `${plural(c.windows, "window")}, ` +
				`${duration(c.total_ns)} in all, longest ${duration(c.worst_ns)}, ` +
				(c.cpus.length > 4 ? plural(c.cpus.length, "CPU") : "CPU " + c.cpus.join(", ")) : "") +
				(c.waiters ? `; ${plural(c.waiters, "window")} of other CPUs waited` : ""))));

		/* 1,000 windows with their stacks are drawn when somebody looks. */
		box.addEventListener("toggle", () => box.open && box.children.length === 1 && box.append(
			html("div", {class: "facts"}, html("p", {}, c.summary), list_facts(html("dl"), c.facts)),
			html("ul", {class: "windows"}, ...windows.filter(w => w.culprit === i).map(w => {
				const item = html("details", {"data-window-of": w.number}, html("summary", {}, describe(w) +
					(w.open ? "" : ", " + moment(w)) + (w.holder ? ` (waited for window ${w.holder})` : "")));

				item.addEventListener("toggle", () =>
					item.open && item.children.length === 1 && item.append(draw_window(w)));
				return html("li", {}, item);
			}))));
		return box;
	};

	by_id("culprits").append(...data.culprits.map(one));
	by_id("culprits").parentNode.hidden = !data.culprits.length;
}

/* ---- the icicle graph ---- */

/* A tree of functions with the number of samples that show them, outermost first. */
function sample_tree(shown) {
	const root = {name: "all samples", count: 0, path: "", children: new Map()};

	for (const w of shown)
		for (const sample of w.samples) {
			let node = root;

			root.count++;
			for (const name of stack_of(sample.stack)) {
				if (!node.children.has(name))
					node.children.set(name, {name, count: 0, path: `${node.path};${name}`, children: new Map()});
				node = node.children.get(name);
				node.count++;
			}
		}
	return root;
}

/* Returns the nodes from the root to the one with this path, or the root alone. */
function find_frame(root, path) {
	let nodes = [root];

	for (const name of path ? path.split(";").slice(1) : []) {
		const next = nodes[nodes.length - 1].children.get(name);

		if (!next)
			return [root];
		nodes.push(next);
	}
	return nodes;
}

function draw_icicle(shown) {
	const box = by_id("icicle");
	const root = sample_tree(shown), parents = find_frame(root, view.frame), chosen = parents[parents.length - 1];
	const width = Math.max(box.clientWidth, 240);
	const picture = svg("svg", {width, role: "group", "aria-label": "Functions by samples"});
	const named = new Set(data.culprits.map(c => c.function));
	let depth = 0;

	by_id("samples").hidden = !root.count;
	const add = (node, x, row, size) => {
		const text = `${node.name}: ${plural(node.count, "sample")} of ${root.count}`;
		const room = Math.floor((size - 8) / 6.6);

		depth = Math.max(depth, row + 1);
		picture.append(svg("rect", {class: named.has(node.name) ? "frame named" : "frame", x, y: row * ROW, width: size,
			height: ROW - 1, "data-frame": node.path, "data-count": node.count, role: "button", tabindex: -1,
			"aria-label": text}, svg("title", {}, text)));
		if (room > 2)
			picture.append(svg("text", {class: "label", x: x + 4, y: row * ROW + 15},
				node.name.length > room ? node.name.slice(0, room - 1) + "\u2026" : node.name));
		if (parents.includes(node) && node !== chosen) {
			add(parents[row + 1], x, row + 1, size);
			return;
		}
		for (const child of node.children.values()) {
			const share = child.count / node.count * size;

			/* What is narrower cannot be seen. */
			if (share >= 1)
				add(child, x, row + 1, share);
			x += share;
		}
	};
	add(root, 0, 0, width);
	picture.setAttribute("height", depth * ROW);
	picture.setAttribute("viewBox", `0 0 ${width} ${depth * ROW}`);
	const press = target => target.dataset.frame !== undefined &&
		change_view({frame: target.dataset.frame === view.frame ? "" : target.dataset.frame});
	picture.addEventListener("click", event => press(event.target));
	walk_by_keys(picture, ".frame", press);
	const focused = box.contains(document.activeElement) ? document.activeElement.dataset.frame : null;
	box.replaceChildren(picture);
	restore_focus(box, focused !== null && `[data-frame="${CSS.escape(focused)}"]`);
}

/* ---- for Perfetto ---- */

/* The same events as "report --format trace" has. */
function trace_events() {
	const events = [], tids = {hardirq: 1, softirq: 2, nosched: 3}, tracks = new Set();
	/* Numbers of nanoseconds since 1970 lose digits. */
	const us = ns => Number(ns) / 1000;
	const ended = data.records.map(w => [w, BigInt(w.end_ns) - BigInt(w.latency_ns)]);
	const origin = ended.map(([, begin]) => begin).reduce((a, b) => a < b ? a : b, ended.length ? ended[0][1] : 0n);

	for (const [w, begin] of ended) {
		const where = {pid: w.cpu, tid: tids[w.kind]};

		if (!tracks.has(`${w.cpu}`))
			events.push({ph: "M", name: "process_name", pid: w.cpu, tid: 0, args: {name: "CPU " + w.cpu}});
		if (!tracks.has(`${w.cpu} ${w.kind}`))
			events.push({ph: "M", name: "thread_name", ...where, args: {name: KINDS[w.kind]}});
		tracks.add(`${w.cpu}`).add(`${w.cpu} ${w.kind}`);
		events.push({ph: "X", name: w.named, cat: w.kind, ...where, ts: us(begin - origin), dur: us(w.latency_ns),
			args: {seq: w.seq, comm: w.comm, pid: w.pid, cgroup_path: w.cgroup_path, stack: stack_of(w.stack)}});
		for (const s of w.samples)
			events.push({ph: "i", s: "t", name: stack_of(s.stack).at(-1) ?? "-", cat: "sample", ...where,
				ts: us(begin - origin + BigInt(s.after_ns)),
				args: {seq: w.seq, comm: s.comm, pid: s.pid, stack: stack_of(s.stack)}});
	}
	return {displayTimeUnit: "ms", metadata: {host: data.host, release: data.release, origin_ns: `${origin}`},
		traceEvents: events};
}

function save_trace() {
	const url = URL.createObjectURL(new Blob([JSON.stringify(trace_events())], {type: "application/json"}));

	html("a", {href: url, download: `trace-irqoff-${data.host}.json`}).click();
	setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/* ---- all of it ---- */

function draw_view() {
	const shown = windows.filter(is_shown);
	const chosen = shown.find(w => `${w.number}` === view.window);

	for (const id of ["cpu", "kind", "culprit"])
		by_id(id).value = view[id] ?? "";
	by_id("shown").textContent = windows.length ?
		`${shown.length} of ${plural(windows.length, "window")}. Click a window for its stacks.` : "No windows.";
	by_id("filters").hidden = by_id("zoom").hidden = !windows.length;
	if (windows.length) {
		draw_timeline(shown);
		draw_legend(shown);
	}
	by_id("window").replaceChildren(...chosen ? [draw_window(chosen)] : []);
	draw_icicle(shown);
}

function draw() {
	data = JSON.parse(by_id("data").textContent);
	if (data.schema !== SCHEMA)
		throw new Error(`the data has schema ${data.schema}, and this page reads schema ${SCHEMA}`);
	prepare();
	draw_answer();
	draw_filters();
	draw_culprits();
	draw_histograms();
	draw_notes();
	by_id("page").hidden = false;
	by_id("text").open = false;
	read_view();
	draw_view();
	addEventListener("hashchange", () => {
		read_view();
		draw_view();
	});
	let width = innerWidth;
	addEventListener("resize", () => {
		if (width !== innerWidth) {
			width = innerWidth;
			draw_view();
		}
	});
	addEventListener("beforeprint", () => document.querySelectorAll("#culprits > details").forEach(box => { box.open = true; }));
}

try {
	draw();
} catch (error) {
	by_id("page").hidden = true;
	by_id("trouble").hidden = false;
	by_id("trouble").textContent = `This page cannot be drawn: ${error.message}. The report below is complete.`;
	by_id("text").open = true;
}
