/* Lists, tables and boxes: the answer, histograms, notes, filters, a window, culprits. */

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
		(data.duration_ns === null ? "" : `, traced for ${data.duration_ns / 1e9} s`) +
		("threshold_ns" in data.status ? `, threshold ${duration(data.status.threshold_ns)}, CPUs ${data.status.cpus}` : "");
	document.title = by_id("summary").textContent + " - " + data.host;
	if (data.answer !== null)
		list_facts(by_id("facts"), data.culprits[data.answer].facts);
	by_id("facts").hidden = data.answer === null;
	by_id("also").append(...data.also.concat(data.ping ? data.ping.lines : []).map(text => html("p", {}, text)));
	/* If nothing has ended, the summary says what is open. */
	if (data.answer !== null)
		by_id("open").append(...data.open.map(w => html("p", {}, describe(w))));
}

function draw_histograms() {
	for (const [kind, histogram] of Object.entries(data.histograms)) {
		const most = Math.max(...histogram.buckets.map(b => b.count));
		const rows = histogram.buckets.map(b => {
			const amount = html("div");

			/* Logarithmic: a late tick stands among millions. */
			amount.style.width = 100 * Math.log2(b.count + 1) / Math.log2(most + 1) + "%";
			return html("tr", {}, html("th", {scope: "row"}, b.below_ns < 1e6 ? b.below_ns / 1e3 + " us" : duration(b.below_ns)),
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

	if (data.filter)
		notes.unshift(plural(data.filter.other_windows, "other window") + " did not match the filters of this report.");
	if (data.windows > data.records.length)
		notes.unshift(`This page has ${data.records.length} of ${data.windows} windows: the longest and the newest.`);
	if (data.missing_windows)
		notes.unshift(plural(data.missing_windows, "window") + " without a record.");
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

/* ---- one window ---- */

function draw_stack(title, index, culprit) {
	const names = stack_of(index).slice().reverse();

	return html("div", {class: "stack"}, html("h3", {}, title),
		html("ol", {}, ...names.map(name => html("li", name === culprit ? {class: "culprit"} : {}, name))));
}

const task = t => t.comm === "-" ? "no task" :
	`${t.comm} (PID ${t.pid})` + (t.context && t.context !== "task" ? ", in " + t.context : "");

function draw_window(w) {
	const culprit = w.culprit;
	const facts = [
		["task", `${task(w)}, cgroup ${w.cgroup_path ?? w.cgroup}`],
		["length", duration(w.latency_ns) + (w.open ? " so far" : w.max_ns === null ? " or more" : " to " + duration_up(w.max_ns))],
		["until", w.open ? "still open" : moment(w.time) + " UTC"],
		["culprit", w.cause],
		["state", data.states[w.state]],
	];
	const box = html("div", {}, html("h3", {}, `${w.open ? "Open window" : "Window " + w.seq}: CPU ${w.cpu}, ${KINDS[w.kind]}`));
	const holder = windows.find(other => w.holder && other.seq === w.holder);

	if (w.pending.length)
		facts.push(["waited", "softirqs: " + w.pending.join(", ")]);
	if (w.irqs)
		facts.push(["took", plural(w.irqs, "interrupt")]);
	if (w.steal_ns)
		facts.push(["stolen", duration(w.steal_ns) + " by the hypervisor"]);
	if (w.paused_ns)
		facts.push(["paused", `for ${duration(w.paused_ns)} the CPU executed nothing`]);
	if (!w.begin_seen)
		facts.push(["began", "before its CPU was monitored"]);
	box.append(list_facts(html("dl"), facts), html("button", {type: "button", click: () => zoom_to(w)}, "Zoom to it"));
	if (holder)
		box.append(html("p", {}, "Waited for ", html("button", {type: "button", class: "link",
			click: () => show_window(holder, Math.min(span()[0], holder.begin), Math.max(span()[1], holder.end))},
		describe(holder)), "."));
	/* Do not announce the stacks: they are too long to hear. */
	box.append(html("div", {class: "stacks", "aria-live": "off"},
		...w.samples.map(s => draw_stack(`${duration(s.after_ns)}: ${task(s)}`, s.stack, culprit)),
		...w.stack === null || stack_of(w.stack)[0] === "-" ? [] : [draw_stack("at the end", w.stack, culprit)]));
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
				(c.waiters ? `; ${plural(c.waiters, "window")} of other CPUs waited` : ""))),
		html("div", {class: "facts"}, html("p", {}, c.summary), list_facts(html("dl"), c.facts)));

		/* The page opens faster if up to 1,000 windows and their stacks are drawn when they are opened. */
		box.addEventListener("toggle", () => box.open && box.children.length === 2 && box.append(
			html("ul", {class: "windows"}, ...windows.filter(w => w.row === i).map(w => {
				const item = html("details", {"data-window-of": w.number}, html("summary", {}, describe(w) +
					(w.holder ? ` (waited for window ${w.holder})` : "")));

				item.addEventListener("toggle", () =>
					item.open && item.children.length === 1 && item.append(draw_window(w)));
				return html("li", {}, item);
			}))));
		return box;
	};

	by_id("culprits").append(...data.culprits.map(one));
	by_id("culprits").parentNode.hidden = !data.culprits.length;
}
