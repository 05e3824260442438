/* The time line: a lane for each CPU, windows as bars, samples as marks, ping replies above. And the strip. */

const picture_width = () => Math.max(by_id("timeline").clientWidth, 240);
const span = () => view.from ? [Math.max(+view.from, whole[0]), Math.min(+view.to, whole[1])] : whole;

/* Cuts @part of the range from each end; adds it if it is negative. */
function zoom(part) {
	const [from, to] = span();

	set_span(from + part * (to - from), to - part * (to - from));
}

function set_span(from, to) {
	const length = Math.max(to - from, SHORTEST);

	/* At an end of the time line, the range keeps its length. */
	from = Math.max(whole[0], Math.min((from + to - length) / 2, whole[1] - length));
	change_view(length >= whole[1] - whole[0] ? {from: "", to: ""} :
		{from: from.toFixed(4), to: (from + length).toFixed(4)});
}

/* Shows a window and a range of time that contains it. */
function show_window(w, from, to) {
	view.seq = w.id;
	if (!passes_filters(w))
		view.cpu = view.kind = view.culprit = view.find = view.frame = "";
	set_span(from, to);
	by_id("timeline").scrollIntoView({block: "nearest"});
	by_id("window").querySelector("button").focus({preventScroll: true});
}

function zoom_to(w) {
	const margin = (w.end - w.begin) / 10;

	show_window(w, w.begin - margin, w.end + margin);
}

/* Milliseconds: to 500 ms, then seconds, minutes, hours and days. */
const STEPS = [-3, -2, -1, 0, 1, 2].flatMap(digits => [1, 2, 5].map(n => n * 10 ** digits)).concat(
	[1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200].map(s => s * 1000));
const DAY = 86400000;

/* Round times of day, and their distance. There are at most @most + 1. */
function ticks(from, to, most) {
	const step = STEPS.find(ms => (to - from) / ms <= most) ?? Math.ceil((to - from) / DAY / most) * DAY;
	const offset = step < 1 ? 0 : Number(base_ns % BigInt(step * 1e6)) / 1e6;
	const first = Math.ceil((from + offset) / step) * step - offset;
	const list = [];

	/* Count: far from 0, t + step can be t. */
	for (let i = 0; i <= most && first + i * step <= to; i++)
		list.push(first + i * step);
	return [list, step];
}

/* Places of a picture: pixels for times, and lanes for CPUs. */
function make_layout(shown) {
	const [from, to] = span();
	const width = picture_width();
	const cpus = [...new Set(windows.map(w => w.cpu))].filter(cpu => !view.cpu || cpu === +view.cpu).sort((a, b) => a - b);
	const bar = cpus.length > 48 ? 3 : cpus.length > 16 ? 5 : 9;
	const lane = kinds.length * bar + (cpus.length > 16 ? 1 : 4);
	const replies = place_replies(from, to);
	const top = replies.length ? Math.max(20, Math.max(...replies.map(r => r.row)) * REPLY + REPLY + 4) : 0;

	return {from, to, width, cpus, bar, lane, replies, top, height: top + cpus.length * lane,
		/* Bars are at least 3 pixels wide, or 1 pixel if 3 would fill the lanes. */
		narrowest: shown.length * 6 > (width - LEFT) * cpus.length ? 1 : 3,
		x: ms => LEFT + (ms - from) / (to - from) * (width - LEFT - RIGHT),
		y: w => top + cpus.indexOf(w.cpu) * lane + kinds.indexOf(w.kind) * bar + (cpus.length > 16 ? 1 : 2)};
}

/* Slow replies that were on their way at the same time are in different rows; fast ones are in the first row. */
function place_replies(from, to) {
	const shown = data.ping ? data.ping.replies.filter(r => r.end >= from && r.begin <= to) : [];
	const ends = [];

	for (const r of shown) {
		r.slow = r[1] > data.ping.slow_ms;
		const free = ends.findIndex((end, row) => row && end <= r.begin);

		r.row = !r.slow ? 0 : free > 0 ? free : Math.max(ends.length, 1) % 40;
		if (r.slow)
			ends[r.row] = r.end;
	}
	return shown;
}

function draw_timeline(shown, chosen) {
	const layout = make_layout(shown);
	const {width, height, from, to} = layout;
	const axis = svg("svg", {class: "axis", viewBox: `0 0 ${width} 18`, height: 18, "aria-hidden": "true"});
	const picture = svg("svg", {viewBox: `0 0 ${width} ${height}`, height});

	draw_axis(axis, picture, layout);
	draw_replies(picture, layout);
	draw_bars(picture, layout, shown, chosen);
	drag(picture, from, to, width);
	show_picture(by_id("timeline"), html("div", {role: "group", "aria-label": "Time line of windows, a lane for each CPU"},
		axis, picture), "seq");
}

function time_label(t, step) {
	if (step < 1)
		return `+${t.toFixed(3)} ms`;
	if (data.since_boot || !has_clock)
		return seconds_after_boot(t).toFixed(step < 1000 ? 3 : 0) + " s";
	if (step < 1000)
		return clock(t).slice(11, 23);
	/* With the date if there are several. */
	return clock(span()[0]).slice(0, 10) === clock(span()[1]).slice(0, 10) ? clock(t).slice(11, 19) :
		step < DAY ? clock(t).slice(5, 16).replace("T", " ") : clock(t).slice(0, 10);
}

function draw_axis(axis, picture, {from, to, width, height, cpus, lane, top, x}) {
	const [times, step] = ticks(from, to, width / 110);
	const every = Math.ceil(12 / lane);

	for (const t of times) {
		picture.append(svg("line", {class: "grid", x1: x(t), x2: x(t), y1: 0, y2: height}));
		if (x(t) > LEFT && x(t) < width - 44)
			axis.append(svg("text", {x: x(t), y: 12, "text-anchor": "middle"}, time_label(t, step)));
	}
	if (top)
		picture.append(svg("text", {x: 2, y: 12}, "ping"));
	cpus.forEach((cpu, i) => {
		if (i % every === 0)
			picture.append(svg("line", {class: "grid", x1: 0, x2: width, y1: top + i * lane, y2: top + i * lane}),
				svg("text", {x: 2, y: top + i * lane + 11}, "CPU " + cpu));
	});
}

/* From the request to the reply. A click shows the window that delayed it. */
function draw_replies(picture, {replies, x}) {
	for (const r of replies) {
		const w = windows.find(other => !other.open && other.seq === r[3]);
		const y = r.row * REPLY + 4;
		const size = Math.max(x(r.end) - x(r.begin), 2);

		picture.append(svg("rect", {class: "reply" + (r.slow ? " slow" : ""), x: Math.max(x(r.end) - size, LEFT), y,
			width: Math.max(x(r.end) - Math.max(x(r.end) - size, LEFT), 1), height: REPLY - 2,
			click: () => w && change_view({seq: w.id})},
		svg("title", {}, `reply after ${r[1]} ms${r[2] ? ", " + r[2] : ""}`)));
	}
}

function draw_bars(picture, {width, bar, narrowest, x, y}, shown, chosen) {
	const place = new Map();

	for (const w of shown) {
		const left = Math.max(x(w.begin), LEFT), full = Math.min(x(w.end), width - RIGHT) - left;
		const size = Math.max(full, narrowest);

		place.set(w, [left + size / 2, y(w) + bar / 2]);
		picture.append(svg("rect", {class: `bar ${colour(w.row)}${w.open ? " open" : w.holder ? " waiter" : full < 1 && narrowest === 1 ? " faint" : ""}` +
			(w === chosen ? " chosen" : ""), x: left, y: y(w), width: size, height: bar, "data-seq": w.id,
		role: "button", tabindex: -1, "aria-label": words_of(w), "aria-pressed": `${w === chosen}`}, svg("title", {}, words_of(w))));
		for (const sample of w.samples) {
			const at = x(w.begin + sample.after_ns / 1e6);

			if (size >= MARK * w.samples.length && at >= LEFT && at <= width - RIGHT)
				picture.append(svg("line", {class: w.holder ? "mark on-pale" : "mark", x1: at, x2: at, y1: y(w), y2: y(w) + bar}));
		}
	}
	for (const w of shown.filter(waiter => place.has(holder_of(waiter)))) {
		const [x1, y1] = place.get(w), [x2, y2] = place.get(holder_of(w));

		picture.append(svg("line", {class: "wait", x1, y1, x2, y2}));
	}
}

/* If windows were left out: the time in windows of all of them, in equal parts of the whole time. */
function draw_strip() {
	const width = picture_width();
	const [begin, end] = data.strip.range.map(text => Number(ns_of(text) - base_ns) / 1e6);
	const x = ms => LEFT + (ms - whole[0]) / (whole[1] - whole[0]) * (width - LEFT - RIGHT);
	const most = Math.max(...data.strip.busy_ns), step = (end - begin) / data.strip.busy_ns.length;
	const text = `${data.records.length.toLocaleString("en")} of ${plural(data.windows, "window")} are drawn` +
		` and listed: the newest ones, and the longest of the others. The grey strip has all windows: up to ${duration(most)}` +
		` in windows, of all CPUs, in ${duration(step * 1e6)}.`;
	const picture = svg("svg", {viewBox: `0 0 ${width} ${STRIP}`, height: STRIP, role: "img", "aria-label": text});
	const [from, to] = span();

	data.strip.busy_ns.forEach((ns, i) => picture.append(svg("rect", {class: "busy", x: x(begin + i * step),
		y: STRIP * (1 - ns / most), width: x(step) - x(0), height: STRIP * ns / most})));
	if (view.from)
		picture.append(svg("rect", {class: "range", x: x(from), y: 0, width: x(to) - x(from), height: STRIP}));
	drag(picture, ...whole, width);
	by_id("strip").replaceChildren(picture);
	by_id("left-out").textContent = text;
}

/* Puts a picture into its box. Its items have data-@key; the one that is pressed is chosen in the view. */
function show_picture(box, picture, key) {
	const press = item => item && change_view({[key]: view[key] === item.dataset[key] ? "none" : item.dataset[key]});
	const focused = box.contains(document.activeElement) ? document.activeElement.dataset[key] : undefined;
	const items = [...picture.querySelectorAll(`[data-${key}]`)];
	const first = items.find(item => item.dataset[key] === focused);

	picture.addEventListener("click", event => press(event.target.closest(`[data-${key}]`) ?? nearest(items, event)));
	walk_by_keys(picture, items, press);
	box.replaceChildren(picture);
	(first ?? items[0])?.setAttribute("tabindex", 0);
	first?.focus({preventScroll: true});
}

/* A narrow bar is hard to hit: the nearest item within 8 pixels. */
function nearest(items, {clientX, clientY}) {
	const distance = item => {
		const box = item.getBoundingClientRect();

		return Math.max(box.left - clientX, clientX - box.right, box.top - clientY, clientY - box.bottom);
	};
	const [least, best] = items.map(item => [distance(item), item]).reduce((a, b) => b[0] < a[0] ? b : a, [9, null]);

	return least <= 8 ? best : null;
}

/* One of the items takes the focus; arrow keys go to the nearest one in their direction. */
function walk_by_keys(picture, items, press) {
	const centre = item => {
		const box = item.getBoundingClientRect();

		return [box.left + box.width / 2, box.top];
	};
	const directions = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};

	picture.addEventListener("keydown", event => {
		const item = items.find(other => other === event.target), direction = directions[event.key];

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
				const [dx, dy] = centre(other).map((at, i) => at - [x, y][i]);
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
	const time = x => from + (Math.max(x, LEFT) - LEFT) / (width - LEFT - RIGHT) * (to - from);

	picture.addEventListener("pointerdown", event => { begin = event.button ? null : at(event); });
	picture.addEventListener("pointermove", event => {
		/* The button may have been released outside of the picture. */
		if (!event.buttons)
			begin = null;
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
			if (dragged && end === "pointerup" && Math.abs(at(event) - first) >= 6)
				set_span(time(Math.min(first, at(event))), time(Math.max(first, at(event))));
		});
}

function draw_legend(shown) {
	const names = new Map();

	for (const w of shown)
		names.set(colour(w.row), (names.get(colour(w.row)) ?? new Set()).add(
			(w.open ? "now: " : `${w.row + 1}: `) + name_of(w)));
	const waiters = shown.filter(w => w.holder);

	by_id("legend").replaceChildren(...[...names.keys()].sort().map(name => html("li", {}, html("span", {class: "swatch " + name}),
		names.get(name).size === 1 ? [...names.get(name)][0] : name === "stuck" ? "still open" : "others")));
	by_id("legend").append(html("li", {}, (kinds.length > 1 ? `Rows of a CPU: ${kinds.map(kind => KINDS[kind]).join(", ")}. ` : "") +
		"Upright lines: samples" +
		(!waiters.length ? "" : waiters.some(w => shown.includes(holder_of(w))) ?
			". Pale: a waiter; a dotted line leads to the window of its holder" :
			". Pale: a waiter whose holder is not shown") +
		(shown.some(w => w.open) ? ". Dashed: still open" : "") +
		(shown.some(w => w.open && !w.seen) ? "; when it began is not recorded" : "")));
}
