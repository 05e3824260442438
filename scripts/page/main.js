/* "Save as trace"; and the begin of the script. */

/*
 * Chrome trace events, for Perfetto and speedscope: a CPU is a process and a kind of window is its thread. Times are
 * after the begin of the first window: since 1970 they would lose digits.
 */
function trace_events() {
	const events = [], tids = {hardirq: 1, softirq: 2, nosched: 3}, tracks = new Set();
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
		events.push({ph: "X", name: name_of(w), cat: w.kind, ...where, ts: us(begin - origin), dur: us(w.latency_ns),
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

let drawn_window;	/* the one in #window */

/* The chosen window. By default the longest open one, else the longest of the answer, else of all. */
function chosen_window(shown) {
	const longest = list => list.reduce((a, b) => b.latency_ns > (a?.latency_ns ?? 0) ? b : a, undefined);

	if (view.seq)
		return windows.find(w => w.id === view.seq);
	return longest(shown.filter(w => w.open)) ?? longest(shown.filter(w => !w.holder && w.row === data.answer)) ?? longest(shown);
}

function draw_view() {
	const [from, to] = span();
	const shown = windows.filter(w => passes_filters(w) && w.end >= from && w.begin <= to);
	const chosen = chosen_window(shown);

	for (const id of ["cpu", "kind", "culprit", "find"])
		by_id(id).value = view[id] ?? "";
	by_id("shown").textContent = `${shown.length.toLocaleString("en")} of ${plural(windows.length, "window")}${moments(from, to)}.`;
	by_id("filters").parentNode.hidden = !windows.length && !data.ping;
	if (windows.length || data.ping)
		draw_timeline(shown, chosen);
	if (data.strip)
		draw_strip();
	if (windows.length)
		draw_legend(shown);
	/* A button in it may have the focus. */
	if (chosen !== drawn_window)
		by_id("window").replaceChildren(...chosen ? [draw_window(chosen)] : []);
	drawn_window = chosen;
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
	draw_tables();
	draw_histograms();
	draw_notes();
	by_id("page").hidden = false;
	by_id("text").open = false;
	const follow_link = () => {
		read_view(location.hash.slice(1));
		draw_view();
	};
	follow_link();
	addEventListener("hashchange", follow_link);
	let width = innerWidth;
	addEventListener("resize", () => {
		if (width !== innerWidth) {
			width = innerWidth;
			draw_view();
		}
	});
	let closed = [];
	addEventListener("beforeprint", () => {
		closed = [...document.querySelectorAll("#culprits > details:not([open])")];
		closed.forEach(box => { box.open = true; });
	});
	addEventListener("afterprint", () => closed.forEach(box => { box.open = false; }));
}

function give_up(message) {
	by_id("page").hidden = true;
	by_id("trouble").hidden = false;
	by_id("trouble").textContent = `This page cannot be drawn: ${message}. The report below is complete.`;
	by_id("text").open = true;
}

/* After the first draw, errors come from listeners. */
addEventListener("error", event => give_up(event.message));
try {
	draw();
} catch (error) {
	give_up(error.message);
}
