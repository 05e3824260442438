/* Lists, tables and boxes: the answer, histograms, notes, filters, a window, culprits. */

function list_facts(list, facts) {
	for (const [label, text] of facts)
		list.append(html("dt", {}, label), html("dd", {}, text));
	return list;
}

const in_text = ([label, fact]) => `  ${label.padEnd(5)} ${fact}`;

function draw_answer() {
	const host = `${data.host}, Linux ${data.release}, trace-irqoff ${data.helper}` +
		(data.duration_ns === null ? "" : `, traced for ${data.duration_ns / 1e9} s`) +
		("threshold_ns" in data.status ? `, threshold ${duration(data.status.threshold_ns)}, CPUs ${data.cpus ?? ""}` : "");
	/* A path may be long: what to do stands before it. */
	const facts = data.facts.sort(([a], [b]) => (a === "path") - (b === "path"));
	const also = data.also.concat(data.ping ? data.ping.lines : [], data.only ?? []);
	const text = ["```"];

	data.head.forEach((line, i) => {
		const open = data.open_facts[i] ?? [], part = html(i ? "p" : "h1", {}, line);

		by_id("head").append(open.length ? html("div", {class: "now"}, part, list_facts(html("dl"), open)) : part);
		text.push(line, ...open.map(in_text));
	});
	by_id("host").textContent = host;
	document.title = data.head[0] + " - " + data.host;
	list_facts(by_id("facts"), facts);
	by_id("facts").hidden = !facts.length;
	by_id("also").append(...also.map(text => html("p", {}, text)));
	text.push(...facts.map(in_text), ...also, host, "```", "");
	/* Browsers have navigator.clipboard only for file: and https: pages. */
	by_id("copy").hidden = !navigator.clipboard;
	by_id("copy").addEventListener("click", () => navigator.clipboard.writeText(text.join("\n")).then(() => {
		by_id("copy").textContent = "Copied";
	}));
}

/* Tables of the text, if it has them. The last one has no end. */
function draw_tables() {
	const text = by_id("text").querySelector("pre").textContent;

	for (const [id, title, end] of [["pods", "Pods", "\n\n"], ["handlers", "Time in handlers (trace-irqoff handlers)"]]) {
		const [, rest] = text.split(`\n${title}:\n`);

		by_id(id).hidden = !rest;
		by_id(id).querySelector("pre").textContent = rest?.split(end)[0] ?? "";
	}
}

function draw_histograms() {
	for (const [kind, histogram] of Object.entries(data.histograms)) {
		const most = Math.max(...histogram.buckets.map(b => b.count));
		const rows = histogram.buckets.map(b => {
			const amount = html("div");

			/* Logarithmic: a late tick stands among millions. */
			amount.style.width = 100 * Math.log2(b.count + 1) / Math.log2(most + 1) + "%";
			return html("tr", {}, html("th", {scope: "row"}, b.below_ns < 1e6 ? b.below_ns / 1e3 + " us" :
				b.below_ns < 3e10 ? duration(b.below_ns) : "longer"),
				html("td", {}, `${b.count}`), html("td", {class: "amount"}, amount));
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

	if (!Object.keys(data.status).length)
		notes.push("Without the file status, it is not known what was traced.");
	for (const text of notes.length ? notes : ["All CPUs were monitored, and all windows are recorded."])
		by_id("notes").append(html("li", {}, text));
	list_facts(by_id("status"), Object.entries(data.status).map(([key, value]) => key.endsWith("_ns") && typeof value === "number" ?
		[key.slice(0, -3), duration(value)] : [key, `${value}`]));
}

function draw_filters() {
	const add = (id, all, options) => {
		by_id(id).append(html("option", {value: ""}, all),
			...options.map(([value, text]) => html("option", {value}, text)));
		by_id(id).addEventListener("change", event => change_view({[id]: event.target.value, frame: "", seq: ""}));
	};
	const cpus = [...new Set(windows.map(w => w.cpu))].sort((a, b) => a - b);

	add("cpu", "all", cpus.map(cpu => [cpu, cpu]));
	add("kind", "all", kinds.map(kind => [kind, KINDS[kind]]));
	add("culprit", "all", data.culprits.map((c, i) => [i, `${i + 1}: ${c.name}`]));
	by_id("find").addEventListener("input", event => change_view({find: event.target.value, frame: "", seq: ""}));
	by_id("filters").addEventListener("reset", event => {
		event.preventDefault();
		change_view({cpu: "", kind: "", culprit: "", find: "", from: "", to: "", seq: "", frame: ""});
	});
	by_id("filters").addEventListener("submit", event => event.preventDefault());
	by_id("save").addEventListener("click", save_trace);
	by_id("in").addEventListener("click", () => zoom(1 / 4));
	by_id("out").addEventListener("click", () => zoom(-1 / 2));
}

/* ---- one window ---- */

function draw_stack(title, index, culprit) {
	const names = stack_of(index).slice().reverse();

	return html("div", {class: "stack"}, html("h3", {}, title),
		html("ol", {}, ...names.map(name => html("li", name === culprit ? {class: "culprit"} : {}, name))));
}

function draw_window(w) {
	const box = html("div", {}, html("h3", {}, w.who), html("p", {}, w.text), html("p", {}, w.at_end ?? ""));
	const holder = holder_of(w);
	const shown = other => show_window(other, Math.min(span()[0], other.begin), Math.max(span()[1], other.end));

	box.append(html("button", {type: "button", click: () => zoom_to(w)}, "Zoom to it"));
	if (holder)
		box.append(" Waited for: ", html("button", {type: "button", class: "link", click: () => shown(holder)}, words_of(holder)));
	/* Do not announce the stacks: they are too long to hear. */
	box.append(html("div", {class: "stacks", "aria-live": "off"},
		...w.samples.map(s => draw_stack(`after ${duration(s.after_ns)}${s.task ? ", " + s.task : ""}`, s.stack, w.culprit)),
		...w.stack === null || stack_of(w.stack)[0] === "-" ? [] : [draw_stack("at the end", w.stack, w.culprit)]));
	return box;
}

/* ---- culprits ---- */

function draw_row_window(w, row) {
	const [, ns] = w.parts.find(part => part[0] === row) ?? [];
	const item = html("details", {"data-window-of": w.id}, html("summary", {}, words_of(w) +
		(w.holder || ns === undefined || w.parts.length < 2 ? "" : `; ${duration(ns)} of it in ${data.culprits[row].name}`)));

	item.addEventListener("toggle", () => item.open && item.children.length === 1 && item.append(draw_window(w)));
	return html("li", {}, item);
}

/* A row for each culprit. Windows that are open now come first. */
function draw_culprits() {
	const add = (row, text, facts, is_in, nr) => {
		const box = html("details", {"data-culprit": row}, html("summary", {}, html("span", {class: "swatch " + colour(row)}), text),
			...facts.length ? [list_facts(html("dl", {class: "facts"}), facts)] : []);

		/* The page opens faster if up to 1,000 windows and their stacks are drawn when they are opened. */
		box.addEventListener("toggle", () => {
			if (!box.open || box.querySelector(".windows"))
				return;
			/* The longest first. */
			const list = windows.filter(is_in).sort((a, b) => b.latency_ns - a.latency_ns), own = list.filter(w => !w.holder).length;

			if (own < nr)
				box.append(html("p", {}, `${own} of its ${plural(nr, "window")} are on this page:`));
			box.append(html("ul", {class: "windows"}, ...list.map(w => draw_row_window(w, row))));
		});
		by_id("culprits").append(box);
	};

	data.open_facts.forEach((_, i) => add("open", data.head[i], [], w => w.line === i, 0));
	data.culprits.forEach((c, i) => add(i, `${i + 1}: ${c.summary.replace(/^Culprit: /, "")}`, i === data.answer ? [] : c.facts,
		w => has_part(w, i), c.windows));
	by_id("culprits").parentNode.hidden = !by_id("culprits").children.length;
}
