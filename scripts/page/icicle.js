/* The icicle graph of the samples. */

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
	const functions = new Set(data.culprits.map(c => c.function));
	let depth = 0;

	by_id("samples").hidden = !root.count;
	const add = (node, x, row, size) => {
		const text = `${node.name}: ${plural(node.count, "sample")} of ${root.count}`;
		const room = Math.floor((size - 8) / 6.6);

		depth = Math.max(depth, row + 1);
		picture.append(svg("rect", {class: functions.has(node.name) ? "frame culprit" : "frame", x, y: row * ROW, width: size,
			height: ROW - 1, "data-frame": node.path, "data-count": node.count, role: "button", tabindex: -1,
			"aria-label": text, "aria-pressed": `${node === chosen && node !== root}`}, svg("title", {}, text)));
		if (room > 2)
			picture.append(svg("text", {class: "label", x: x + 4, y: row * ROW + 15},
				node.name.length > room ? node.name.slice(0, room - 1) + "\u2026" : node.name));
		if (parents.includes(node) && node !== chosen) {
			add(parents[row + 1], x, row + 1, size);
			return;
		}
		for (const child of node.children.values()) {
			const share = child.count / node.count * size;

			/* A frame of less than a pixel is left out. */
			if (share >= 1)
				add(child, x, row + 1, share);
			x += share;
		}
	};
	add(root, 0, 0, width);
	picture.setAttribute("height", depth * ROW);
	picture.setAttribute("viewBox", `0 0 ${width} ${depth * ROW}`);
	show_picture(box, picture, "frame");
}
