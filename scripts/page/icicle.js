/* The icicle graph: functions by the time that their samples stand for. */

/*
 * A tree of functions, outermost first. A window that waited for another one is not in it: its samples show
 * only that it waited. @own is the time in windows of which this function is a culprit, by its row.
 */
function time_tree(shown) {
	const new_node = (name, path) => ({name, path, ns: 0, own: new Map(), children: new Map()});
	const root = new_node("all windows", "");
	const add = (w, names, ns) => {
		let node = root;

		root.ns += ns;
		for (const name of names) {
			if (!node.children.has(name))
				node.children.set(name, new_node(name, `${node.path};${name}`));
			node = node.children.get(name);
			node.ns += ns;
			for (const [row] of w.parts)
				if ((w.open ? w.culprit : data.culprits[row].function) === name)
					node.own.set(row, (node.own.get(row) ?? 0) + ns);
		}
	};

	for (const w of shown)
		if (w.unsampled && !w.holder)
			add(w, [w.unsampled], w.latency_ns);
		else if (!w.holder)
			for (const sample of w.samples)
				add(w, stack_of(sample.stack), sample.span_ns);
	return root;
}

/* Returns the nodes from the root to the one with this path, or the root alone. */
function find_frame(root, path) {
	let nodes = [root];

	for (const name of path ? path.split(";").slice(1) : []) {
		const next = nodes.at(-1).children.get(name);

		if (!next)
			return [root];
		nodes.push(next);
	}
	return nodes;
}

function draw_icicle(shown) {
	const root = time_tree(shown), parents = find_frame(root, view.frame), chosen = parents.at(-1);
	const picture = html("div", {role: "group", "aria-label": "Functions by time"});
	const waiters = shown.filter(w => w.holder).length;
	let depth = 0;

	by_id("samples").hidden = !root.ns;
	by_id("waiters").textContent = waiters ? `Not in it: ${plural(waiters, "window")} of waiters.` : "";
	const add = (node, left, width, row) => {
		const text = `${node.name}: ${duration(node.ns)} of ${duration(root.ns)}`;
		/* In colour if a culprit has at least half of the function's time. */
		const [own] = [...node.own].find(([, ns]) => ns * 2 >= node.ns) ?? [];
		const frame = html("div", {class: "frame" + (own === undefined ? "" : " culprit " + colour(own)),
			"data-frame": node.path, "data-ns": node.ns, role: "button", tabindex: -1, title: text, "aria-label": text,
			"aria-pressed": `${node === chosen && node !== root}`}, html("span", {}, node.name));

		Object.assign(frame.style, {left: left + "%", width: width + "%", top: row * ROW + "px"});
		picture.append(frame);
		depth = Math.max(depth, row + 1);
		if (parents.includes(node) && node !== chosen) {
			add(parents[row + 1], left, width, row + 1);
			return;
		}
		for (const child of [...node.children.values()].sort((a, b) => b.ns - a.ns)) {
			const share = child.ns / node.ns * width;

			if (share >= NARROWEST)
				add(child, left, share, row + 1);
			left += share;
		}
	};
	add(root, 0, 100, 0);
	picture.style.height = depth * ROW + "px";
	show_picture(by_id("icicle"), picture, "frame");
}
