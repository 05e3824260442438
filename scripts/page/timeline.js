/* The time line: a lane for each CPU, windows as bars, samples as marks, ping replies above. */

const span = () => view.from ? [Math.max(+view.from, whole[0]), Math.min(+view.to, whole[1])] : whole;

function zoom(how) {
	const [from, to] = span();
	const step = (to - from) / 4;
	const spans = {in: [from + step, to - step], out: [from - 2 * step, to + 2 * step],
		left: [from - step, to - step], right: [from + step, to + step], all: whole};

	if (spans[how])
		set_span(...spans[how]);
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
	view.window = `${w.number}`;
	if (!passes_filters(w))
		view.cpu = view.kind = view.culprit = view.frame = "";
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

function describe(w) {
	return `CPU ${w.cpu}, ${KINDS[w.kind]} for ${duration(w.latency_ns)}, ${w.cause}, ` +
		(w.open ? "still open" : "until " + moment(w.time));
}

function draw_timeline(shown) {
	const box = by_id("timeline");
	const [from, to] = span();
	const width = Math.max(box.clientWidth, 240);
	const x = ms => LEFT + (ms - from) / (to - from) * (width - LEFT - 8);
	const cpus = [...new Set(windows.map(w => w.cpu))].filter(cpu => !view.cpu || cpu === +view.cpu).sort((a, b) => a - b);
	const replies = data.ping ? data.ping.replies.filter(r => r.end >= from && r.end <= to) : [];
	const top = 20 + (data.ping ? REPLIES : 0);
	const height = top + cpus.length * LANE;
	const picture = svg("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
		"aria-label": "Time line of windows, a lane for each CPU"});
	const [times, step] = ticks(from, to, width / 110);
	const y = w => top + cpus.indexOf(w.cpu) * LANE + Object.keys(KINDS).indexOf(w.kind) * BAR + 2;
	const place = new Map();
	const label = t => {
		if (step < 1)
			return `+${t.toFixed(3)} ms`;
		if (!has_clock())
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
		svg("title", {}, `reply after ${r[1]} ms${r[2] ? ", " + r[2] : ""}`)));
	}
	cpus.forEach((cpu, i) => picture.append(
		svg("line", {class: "grid", x1: 0, x2: width, y1: top + i * LANE, y2: top + i * LANE}),
		svg("text", {x: 2, y: top + i * LANE + 16}, "CPU " + cpu)));
	for (const w of shown) {
		const left = Math.max(x(w.begin), LEFT);
		const size = Math.max(Math.min(x(w.end), width - 8) - left, 3);

		place.set(w.seq, [left + size / 2, y(w) + BAR / 2]);
		picture.append(svg("rect", {class: `bar ${colour(w.row)}${w.open ? " open" : w.holder ? " waiter" : ""}` +
			(view.window === `${w.number}` ? " chosen" : ""), x: left, y: y(w), width: size, height: BAR, rx: 1,
		"data-window": w.number, role: "button", tabindex: -1, "aria-label": describe(w),
		"aria-pressed": `${view.window === `${w.number}`}`},
		svg("title", {}, describe(w))));
		for (const sample of w.samples) {
			const at = x(w.begin + sample.after_ns / 1e6);

			if (size >= WIDE && at >= LEFT && at <= width - 8)
				picture.append(svg("line", {class: w.holder ? "mark on-pale" : "mark", x1: at, x2: at, y1: y(w), y2: y(w) + BAR}));
		}
	}
	for (const w of shown)
		if (w.holder && place.has(w.holder)) {
			const [x1, y1] = place.get(w.seq), [x2, y2] = place.get(w.holder);

			picture.append(svg("line", {class: "wait", x1, y1, x2, y2}));
		}
	drag(picture, from, to, width);
	show_picture(box, picture, "window");
}

/* Puts a picture into its box. Its items have data-@key; the one that is pressed is chosen in the view. */
function show_picture(box, picture, key) {
	const press = item => item && change_view({[key]: view[key] === item.dataset[key] ? "" : item.dataset[key]});
	const focused = box.contains(document.activeElement) ? document.activeElement.dataset[key] : undefined;
	const items = [...picture.querySelectorAll(`[data-${key}]`)];
	const first = items.find(item => item.dataset[key] === focused);

	picture.addEventListener("click", event => press(event.target.closest(`[data-${key}]`)));
	walk_by_keys(picture, items, press);
	box.replaceChildren(picture);
	(first ?? items[0])?.setAttribute("tabindex", 0);
	first?.focus({preventScroll: true});
}

/* One of the items takes the focus; arrow keys go to the nearest one in their direction. */
function walk_by_keys(picture, items, press) {
	const centre = item => {
		const at = name => +item.getAttribute(name);

		return [at("x") + at("width") / 2, at("y")];
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

	for (const w of shown) {
		const name = colour(w.row);

		if (!names.has(name))
			names.set(name, new Set());
		names.get(name).add(w.row === null ? w.cause : `${w.row + 1}: ${w.cause}`);
	}
	by_id("legend").replaceChildren(...[...names].sort().map(([name, texts]) =>
		html("li", {}, html("span", {class: "swatch " + name}), texts.size === 1 ? [...texts][0] : "others")));
	by_id("legend").append(html("li", {}, "Rows of a CPU: interrupts off, softirqs, tasks. Upright lines: samples" +
		(shown.some(w => w.holder) ? ". Pale: waited for the window at the other end of the dotted line" : "") +
		(shown.some(w => w.open) ? ". Dashed: still open; when the window began is not recorded" : "")));
}
