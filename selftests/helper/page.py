# SPDX-License-Identifier: GPL-2.0
#
# page.py DIRECTORY [PAGE.html CHECK...]...: open DIRECTORY/PAGE.html in Chromium. For each CHECK that holds,
# print a line "CHECK PAGE holds". The checks are the functions below whose names begin with check_. Each also
# fails if there is a message on the console, or a request to anything but the page. A check may read PAGE.text,
# PAGE.folded and PAGE.records, which were made from the same data.
import glob
import json
import os
import sys
import tempfile
import traceback

from selenium.webdriver.common.keys import Keys

from browser import Page

LEFT, RIGHT, BAR, MARK = 56, 8, 9, 4  # see base.js
KINDS = ["hardirq", "softirq", "nosched"]


def windows_of(data):
    """All windows, with begin and end in ms after the first begin, and what #seq= calls them."""
    windows = data["open"] + data["records"]
    ends = [int(float(w["seen"]) * 1e9) if w.get("seen") else int(w["end_ns"] or 0) for w in windows]
    ends = [end or max(ends) for end in ends]
    base = min(end - w["latency_ns"] for end, w in zip(ends, windows))
    for end, w in zip(ends, windows):
        w["begin"] = (end - w["latency_ns"] - base) / 1e6
        w["end"] = (end - base) / 1e6
        w["id"] = f"open-{w['cpu']}-{w['kind']}" if w["open"] else str(w["seq"])
    return sorted(windows, key=lambda w: w["begin"])


def shown_range(page, windows):
    """The first and the last ms of the timeline, and the ms of a pixel. 1 % is free on each side."""
    end = max(w["end"] for w in windows)
    width = page.run("return document.querySelector('#timeline').clientWidth")
    return -end / 100, end * 1.01, end * 1.02 / (width - LEFT - RIGHT)


def rows_of(page, selector):
    """The rows of a list of facts, as [label, text]."""
    return page.run("const d = document.querySelector(arguments[0]); return [...d.querySelectorAll('dt')].map("
                    "t => [t.textContent, t.nextSibling.textContent])", selector)


def check_head(page):
    """The headline and the title are the first line of the text; the lines below it, too. The rows are those of the text,
    with the path last. What is open now is in red boxes, and comes first."""
    text = page.beside("text")
    head = page.run("return [...document.querySelectorAll('#head h1, #head p')].map(e => [e.tagName, e.parentNode.className, e.textContent])")
    lines = [line for line in text.splitlines() if not line.startswith("  ")][:len(head) + 1]
    assert [line for _, _, line in head] == lines[:-1] and [tag for tag, _, _ in head] == ["H1"] + ["P"] * (len(head) - 1), head
    assert page.browser.title.startswith(lines[0]), page.browser.title
    assert "undefined" not in page.text("#host"), page.text("#host")
    assert [name == "now" for _, name, _ in head] == [line.startswith("Still open") for line in lines[:-1]]
    assert not lines[-1].startswith(("Still", "Culprit", "CPU ")) or page.data["also"][0].startswith(lines[-1]), lines
    rows = [row for i in range(len(page.data["open_facts"])) for row in rows_of(page, f"#head .now:nth-of-type({i + 1})")]
    rows += rows_of(page, "#facts")
    parts = text.split("\n\n")[0].replace("\n        ", " ").splitlines()
    in_text = [[line[2:8].strip(), line[8:]] for line in parts if line[:2] == "  " != line[2:4]]
    assert sorted(rows) == sorted(in_text) and rows[-1][0] in ("path", "next"), (rows, in_text)


def check_only(page):
    """The page of a report with filters says which ones these were."""
    only = [line for line in page.beside("text").splitlines() if line.startswith("Only: CPU 3")]
    assert only and page.text("#also p:last-child") == only[0], page.text("#also")


def check_stuck(page):
    """A CPU that is stuck now has a box in red; it comes first among the culprits, too, and its stacks are open."""
    assert "leaky_work[leaky], in task sh (PID 126)" in page.text(".now h1") and "52.10 s" in page.text(".now h1")
    assert page.run("return getComputedStyle(document.querySelector('h1')).color") == "rgb(179, 38, 30)"
    assert "so far, open now (since 2026-11-21 04:09:58 UTC)" in page.text("#window"), page.text("#window")
    assert "leaky_work[leaky]" in page.text("#window .stack") and "(unsampled)" not in page.text("#page")
    assert page.text("#culprits summary") == page.text("h1") and page.attributes("#culprits .stuck") and page.attributes(".bar.stuck.open")
    page.one("#culprits summary").click()
    page.wait(lambda: page.attributes("#culprits .windows"))
    assert [item["data-window-of"] for item in page.attributes("#culprits [data-window-of]")] == ["open-1-hardirq"]


def check_bars(page):
    """The bars, marks and lines are the windows, samples and waiters of the data."""
    windows = windows_of(page.data)
    first, _, scale = shown_range(page, windows)
    cpus = sorted({w["cpu"] for w in windows})
    kinds = [kind for kind in KINDS if any(w["kind"] == kind for w in windows)]
    bars, marks = page.bars(), 0
    assert len(bars) == len(windows) > 1, (len(bars), len(windows))
    for bar in bars:
        w = next(w for w in windows if w["id"] == bar["data-seq"])
        x, size = LEFT + (w["begin"] - first) / scale, max((w["end"] - w["begin"]) / scale, 3)
        assert abs(float(bar["x"]) - x) < 0.2 and abs(float(bar["width"]) - size) < 0.2, (bar, x, size)
        lane = (float(bar["y"]) - 2 - BAR * kinds.index(w["kind"])) / (len(kinds) * BAR + 4)
        assert lane == cpus.index(w["cpu"]), (bar, w["cpu"])
        culprit = w.get("row")
        assert bar["class"].split()[1] == ("stuck" if w["open"] else "other" if culprit > 7 else f"c{culprit}"), bar
        assert ("open" in bar["class"]) == w["open"] and ("waiter" in bar["class"]) == bool(w.get("holder")), bar
        assert bar["aria-label"] == f"{w['who']}: {w['text']}" and f"CPU {w['cpu']}, " in w["text"], bar
        marks += len(w["samples"]) if size >= MARK * len(w["samples"]) else 0
    assert len(page.attributes("#timeline .mark")) == marks > 0, marks
    assert len(page.attributes("#timeline .wait")) == sum(bool(w.get("holder")) for w in windows)
    assert page.run("return document.querySelector('#legend .stuck').parentNode.textContent") == "still open"
    # A click beside a bar takes it.
    page.run("const b = document.querySelector('.bar').getBoundingClientRect(); document.querySelector('#timeline > div')"
             ".dispatchEvent(new MouseEvent('click', {clientX: b.left - 7, clientY: b.top + 1}))")
    assert f"seq={bars[0]['data-seq']}" in page.fragment(), page.fragment()


def check_waiters(page):
    """A window that waited is linked to its holder, and a click on the link shows the holder."""
    windows = windows_of(page.data)
    waiter = next(w for w in windows if w.get("holder"))
    assert len(page.attributes("#timeline .wait")) == 3 and "another one: 3 windows" not in page.text("#waiters")
    assert "3 windows of waiters" in page.text("#waiters"), page.text("#waiters")
    page.open("#seq=" + waiter["id"])
    assert page.text("#window h3") == waiter["who"], page.text("#window h3")
    page.one("#window .link").click()
    assert page.text("#window h3").startswith("do_task_stat, in task ps"), page.text("#window h3")
    page.open("#cpu=0")
    assert "Pale: a waiter whose holder is not shown" in page.text("#legend")


def check_boots(page):
    """The holder is of the same boot, and a link shows this window. The table has who ran and who waited in each pod;
    their windows can be found."""
    windows = [w for w in windows_of(page.data) if not w["open"]]
    bars = page.bars()
    assert len(windows) == 8 and len({bar["data-seq"] for bar in bars}) == 8, [bar["data-seq"] for bar in bars]
    lines = page.attributes("#timeline .wait")
    assert len(lines) == 6 and all(abs(float(line["x1"]) - float(line["x2"])) < 5 for line in lines), lines
    last = bars[-1]
    page.open("#seq=" + last["data-seq"])
    assert [bar["data-seq"] for bar in page.bars() if "chosen" in bar["class"]] == [last["data-seq"]]
    pod = "0b7d1c1e-1111-2222-3333-3f2b6c7d8e9"
    table = [" ".join(line.split()) for line in page.run("return document.querySelector('#pods pre').textContent").splitlines()]
    assert table == ["its tasks ran its tasks waited pod", f"- 6 windows, 2.52 s {pod}a", f"2 windows, 800 ms - {pod}b"], table
    assert page.one("#pods").is_displayed()
    page.one("#find").send_keys(pod + "b")
    assert len(page.bars()) == 2, page.fragment()


def check_ping(page):
    """Each reply is a line from request to reply. Slow ones have another colour, and do not cover each other; a click
    shows the window that delayed them."""
    windows, replies = windows_of(page.data), page.data["ping"]["replies"]
    lines = page.attributes(".reply")
    assert len(lines) == len(replies) == 5 and len(page.attributes(".reply.slow")) == 4
    begin = min(int(w["end_ns"]) - w["latency_ns"] for w in windows)
    requests = [float(at) * 1e3 - ms - begin / 1e6 for at, ms, *_ in replies]
    first = min(requests + [0])
    last = max(float(at) * 1e3 - begin / 1e6 for at, *_ in replies) - first
    scale = last * 1.02 / (page.run("return document.querySelector('#timeline').clientWidth") - LEFT - RIGHT)
    for line, (_, ms, *_), request in list(zip(lines, replies, requests))[1:]:
        x = LEFT + (request - first + last / 100) / scale
        assert abs(float(line["x"]) - x) < 0.5 and abs(float(line["width"]) - ms / scale) < 0.5, (line, x, ms / scale)
    assert len({line["y"] for line in lines[1:4]}) == 3, "these were on their way at the same time"
    assert all(line in page.text("#also") for line in page.data["ping"]["lines"]) and "Windows explain 3 of" in page.text("#also")
    assert "do_task_stat" in page.text(".reply.slow title"), page.text(".reply.slow title")
    page.open("#seq=none")
    page.run("document.querySelector('.reply.slow').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert "do_task_stat" in page.text("#window h3"), page.text("#window h3")


def time_of_paths(page):
    """The microseconds of each path in --format folded, and of windows that no sample stands for."""
    us = {}

    def add(names, amount):
        for depth in range(len(names) + 1):
            path = "".join(";" + name for name in names[:depth])
            us[path] = us.get(path, 0) + amount

    for line in page.beside("folded").splitlines():
        stack, amount = line.rsplit(" ", 1)
        if not stack.startswith("stolen;"):
            add(stack.split(";")[2:], int(amount))
    for w in page.data["open"] + page.data["records"]:
        if w["reason"] == "stolen":
            add(["(the hypervisor did not run this CPU)"], w["latency_ns"] / 1e3)
        elif not w["samples"] and not w["holder"]:
            assert w["unsampled"].startswith("("), w
            add([w["unsampled"]], w["latency_ns"] / 1e3)
    return us


def check_icicle(page):
    """The frames have the widths that --format folded says, the widest first. A click shows one frame alone, and a
    second one all."""
    us = time_of_paths(page)
    frames = {f["data-frame"]: f for f in page.attributes(".frame")}
    place = page.run("const all = document.querySelector('#icicle').getBoundingClientRect(); "
                     "return Object.fromEntries([...document.querySelectorAll('.frame')].map(f => [f.dataset.frame, "
                     "f.getBoundingClientRect()]).map(([path, box]) => [path, "
                     "[(box.left - all.left) / all.width * 100, box.width / all.width * 100]]))")
    assert {p for p in us if us[p] > us[""] / 500} <= set(frames) <= set(us), set(us) ^ set(frames)
    for path in frames:
        assert abs(place[path][1] - 100 * us[path] / us[""]) < 0.05, (path, place[path], us[path], us[""])
        assert abs(int(frames[path]["data-ns"]) / 1e3 - us[path]) < 10, (path, frames[path], us[path])
        for other in frames:
            if other.rpartition(";")[0] == path.rpartition(";")[0] and place[other][0] > place[path][0]:
                assert place[other][1] <= place[path][1] + 0.01, (path, other)
    path = max(frames, key=lambda path: path.count(";"))
    click = "document.querySelector(`[data-frame='${arguments[0]}']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    page.run(click, path)
    zoomed = {f["data-frame"]: f for f in page.attributes(".frame")}
    assert set(zoomed) == {p for p in us if path.startswith(p) and (path + ";")[len(p)] == ";"}, zoomed
    page.open(page.fragment())
    assert len(page.attributes(".frame")) == len(zoomed), "the fragment keeps the frame"
    page.run(click, path)
    assert len(page.attributes(".frame")) == len(frames)


def check_colours(page):
    """A frame has the colour of a culprit only in windows of this culprit."""
    colours = {f["data-frame"].rsplit("seq_read_iter", 1)[-1]: f["class"] for f in page.attributes(".frame")}
    assert page.data["culprits"][0]["name"] == "work_b" and page.data["culprits"][2]["name"] == "work_a"
    assert colours[";work_b"] == "frame culprit c0" and colours[";work_a"] == "frame culprit c2", colours
    assert colours[";work_b;work_a"] == "frame" and colours[";work_b;leaf"] == "frame", colours
    assert any("not sampled" in path for path in colours), colours


def check_rows(page):
    """Each row opens to the windows that it counts, the longest first, with the row's part of each; the parts are
    the row's sum."""
    parts = lambda w: dict(map(tuple, w.get("parts") or [[w["row"], w["latency_ns"]]]))
    for row, culprit in enumerate(page.data["culprits"]):
        page.one(f"[data-culprit='{row}'] summary").click()
        page.wait(lambda: page.attributes(f"[data-culprit='{row}'] .windows"))
        ids = [item["data-window-of"] for item in page.attributes(f"[data-culprit='{row}'] [data-window-of]")]
        own = [w for w in page.data["records"] if not w["holder"] and row in parts(w)]
        waiters = [w for w in page.data["records"] if w["holder"] and w["row"] == row]
        assert sorted(ids) == sorted(str(w["seq"]) for w in own + waiters), (row, ids)
        assert len(own) == culprit["windows"] and len(waiters) == culprit["waiters"], row
        assert sum(parts(w)[row] for w in own) == culprit["total_ns"], row
        lengths = {str(w["seq"]): w["latency_ns"] for w in page.data["records"]}
        assert [lengths[i] for i in ids] == sorted(map(lengths.get, ids), reverse=True), ids
        for w in own:
            if len(parts(w)) > 1:
                text = page.text(f"[data-culprit='{row}'] [data-window-of='{w['seq']}'] summary")
                assert text.endswith(f"; {parts(w)[row] // 1000000} ms of it in {culprit['name']}"), text
    assert len(page.data["culprits"]) > 2 or waiters


def check_filters(page):
    """Filters, zoom and the fragment choose the windows of the data."""
    windows = windows_of(page.data)

    def numbers():
        return {bar["data-seq"] for bar in page.bars()}

    def chosen(test):
        return {w["id"] for w in windows if test(w)}

    def zoomed():
        return [float(part.split("=")[1]) for part in page.fragment()[1:].split("&")]

    cpu, kind, whole = windows[0]["cpu"], windows[-1]["kind"], chosen(lambda w: True)
    page.select("cpu", cpu)
    assert numbers() == chosen(lambda w: w["cpu"] == cpu) != whole, numbers()
    page.open(page.fragment())
    assert numbers() == chosen(lambda w: w["cpu"] == cpu), "the fragment keeps the CPU"
    page.one("#filters [type=reset]").click()
    page.select("kind", kind)
    assert numbers() == chosen(lambda w: w["kind"] == kind) != whole
    page.select("culprit", 0)
    assert numbers() == chosen(lambda w: w["kind"] == kind and w.get("row") == 0)
    assert page.text("#shown").startswith(f"{len(numbers())} of {len(windows)} windows")
    page.one("#filters [type=reset]").click()
    for word in ("kubelet", "POD12ab", "other", "cron"):
        page.one("#find").send_keys(word)
        assert numbers() == chosen(lambda w: word.lower() in (json.dumps(w) + json.dumps(
            [page.data["stacks"][i] for i in [w["stack"]] + [s["stack"] for s in w["samples"]] if i is not None])).lower()) != whole, word
        assert numbers() and page.one("#find").get_attribute("value") == word
        page.one("#filters [type=reset]").click()
    assert numbers() == whole and page.fragment() in ("", "#"), page.fragment()
    first, last, scale = shown_range(page, windows)
    page.one("#in").click()
    begin, end = zoomed()
    assert abs(end - begin - (last - first) / 2) < 0.01, page.fragment()
    assert numbers() == chosen(lambda w: w["end"] >= begin and w["begin"] <= end) != whole
    page.one("#out").click()
    assert numbers() == whole
    page.drag("#timeline svg:last-child", 200, 400)
    begin, end = zoomed()
    assert abs(begin - (first + (200 - LEFT) * scale)) < 2 * scale, page.fragment()
    assert abs(end - begin - 200 * scale) < 2 * scale, page.fragment()


def check_keyboard(page):
    """Tab reaches the controls, arrow keys go from window to window, and Enter and Space press."""
    windows = windows_of(page.data)
    press = lambda key: page.browser.switch_to.active_element.send_keys(key)
    focused = lambda: page.run("const a = document.activeElement; return a.id || a.classList[0] || a.type || a.tagName")
    reached = []
    while len(reached) < 40 and "frame" not in reached:
        press(Keys.TAB)
        reached.append(focused())
    expected = ["cpu", "kind", "culprit", "find", "in", "out", "reset", "save", "bar", "SUMMARY", "frame"]
    assert [name for name in expected if name in reached] == sorted(expected, key=reached.index), reached
    seq = lambda: page.run("return document.activeElement.dataset.seq")
    place = lambda: page.run("const r = document.activeElement.getBoundingClientRect(); return [r.left + r.width / 2, r.top + scrollY]")
    page.run("document.querySelector('.bar[tabindex=\"0\"]').focus()")
    seen, moves = set(), 0
    for key in [Keys.ARROW_DOWN, Keys.ARROW_RIGHT] * 2 * len(windows) + [Keys.ARROW_UP, Keys.ARROW_LEFT] * len(windows):
        was, (x, y) = seq(), place()
        press(key)
        (to_x, to_y) = place()
        along = {Keys.ARROW_DOWN: to_y - y, Keys.ARROW_UP: y - to_y, Keys.ARROW_RIGHT: to_x - x, Keys.ARROW_LEFT: x - to_x}[key]
        assert along > 0 if seq() != was else along == 0, (was, key, along)
        moves += seq() != was
        seen.add(was)
    assert len(seen) > 2 and None not in seen and moves > 3, (seen, moves)
    w = next(w for w in windows if w["id"] == seq())
    page.open("#seq=none")
    page.run(f"document.querySelector('[data-seq=\"{w['id']}\"]').focus()")
    for key in (Keys.ENTER, Keys.SPACE):
        press(key)
        assert f"seq={w['id']}" in page.fragment() and w["text"] in page.text("#window"), (key, page.fragment())
        stacks = page.run("return [...document.querySelectorAll('#window .stack ol')].map(l => [...l.children].map(i => i.textContent))")
        assert stacks[:len(w["samples"])] == [page.data["stacks"][s["stack"]][::-1] for s in w["samples"]], stacks
        press(key)
        assert "seq=none" in page.fragment() and not page.text("#window"), (key, page.fragment())


def check_print(page):
    """A print has the answer, other causes, the windows, and the facts of all culprits, but no controls and no
    lists of up to 1,000 windows."""
    page.command("Emulation.setEmulatedMedia", media="print")
    page.run("dispatchEvent(new Event('beforeprint'))")
    facts = page.browser.find_elements("css selector", ".facts")
    assert len(facts) + 1 == len(page.data["culprits"]) > 1 and all(box.is_displayed() for box in facts), len(facts)
    for part in ("#head", "#facts", "#also", "#timeline .bar", "#notes"):
        assert page.one(part).is_displayed(), part
    page.wait(lambda: page.attributes(".windows"))
    for part in ("#filters", "#copy", ".hint", ".windows"):
        assert not page.one(part).is_displayed(), part
    text = " ".join(page.text("#text pre").split())
    assert page.data["also"] and all(line in text and line in page.text("#also") for line in page.data["also"])
    labels, lines = on_paper(page, ".axis text"), on_paper(page, "#timeline line.grid")
    assert len(labels) > 2 and all(any(abs(sum(label) - sum(line)) < 2 for line in lines) for label in labels), (labels, lines)


def on_paper(page, selector):
    """The left and right edges of what matches, on paper: the pictures were drawn for the wider screen."""
    page.command("Emulation.setEmulatedMedia", media="print")
    return page.run("document.body.style.width = '600px'; return [...document.querySelectorAll(arguments[0])].map("
                    "e => e.getBoundingClientRect()).map(r => [r.left, r.right])", selector)


def check_copy(page):
    """"Copy as Markdown" copies the answer, as a block of code."""
    page.run("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.one("#copy").click()
    page.wait(lambda: page.text("#copy") == "Copied")
    copied = page.run("return window.copied").splitlines()
    text = " ".join(page.text("#text pre").split())
    assert copied[0] == copied[-1] == "```" and copied[1] == page.text("h1"), copied
    assert all(any(fact in line for line in copied) for _, fact in page.data["culprits"][page.data["answer"]]["facts"])
    for line in copied[1:-2]:
        assert " ".join(line.split()) in text, line


def check_hostile(page):
    """Names of the data stay text."""
    assert page.run("return document.querySelectorAll('img, iframe, b, script').length") == 2, "only our own scripts"
    assert page.run("return window.hacked") is None
    for opened, drawn in ("> details >", "li summary"), ("li", "li .stacks"):
        for summary in page.browser.find_elements("css selector", f"#culprits {opened} summary"):
            summary.click()
        page.wait(lambda: len(page.attributes("#culprits " + drawn)) >= len(page.data["records"]))
    for name in ("</script><img", "<img src=x onerror=hacked=1>", "</pre><script>hacked=1</script>"):
        assert name in page.text("#page"), name
    assert page.run("return window.hacked") is None
    assert page.run("return document.querySelectorAll('img, iframe, b, script').length") == 2


def check_links(page):
    """A link with values out of range, or of another page, shows all windows. Zooming works without links, too."""
    for link in ("#from=0&to=1e308", "#from=1000000000000000000&to=1000000000000000128", "#from=-1e300&to=-1e299",
                 "#from=NaN&to=x", "#cpu=x", "#kind=__proto__", "#culprit=constructor", "#seq=-1&frame=;x"):
        page.open(link)
        assert page.one("#page").is_displayed() and len(page.bars()) == len(windows_of(page.data)), link
    # In a frame without a URL
    page.run("history.replaceState = () => { throw new Error('refused'); }")
    page.one("#in").click()
    assert page.one("#page").is_displayed() and len(page.bars()) < len(windows_of(page.data)), page.text("#trouble")


def check_trace(page):
    """The saved trace has each window and each sample of the data, and when they were."""
    directory = tempfile.mkdtemp()
    page.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=directory)
    page.one("#save").click()

    def read():
        # The browser makes an empty file first.
        try:
            with open(glob.glob(directory + "/*.json")[0]) as file:
                return json.load(file)
        except (IndexError, ValueError):
            return None

    page.wait(read)
    saved = read()
    origin, stacks = int(saved["metadata"]["origin_ns"]), page.data["stacks"]
    expected = []
    for w in page.data["records"]:
        where, begin = (w["cpu"], KINDS.index(w["kind"]) + 1, w["seq"]), int(w["end_ns"]) - w["latency_ns"] - origin
        expected.append(("X", *where, begin, w["latency_ns"], stacks[w["stack"]]))
        expected += [("i", *where, begin + s["after_ns"], 0, stacks[s["stack"]]) for s in w["samples"]]
    events = [(e["ph"], e["pid"], e["tid"], e["args"]["seq"], round(e["ts"] * 1000), round(e.get("dur", 0) * 1000),
               e["args"]["stack"]) for e in saved["traceEvents"] if e["ph"] != "M"]
    assert sorted(events) == sorted(expected) and len(events) > 5 and min(e[4] for e in events) == 0


def check_text(page):
    """Without JavaScript, the page is the report."""
    page.command("Emulation.setScriptExecutionDisabled", value=True)
    page.open()
    assert page.one("#text pre").text.strip() == page.beside("text").strip()
    assert not page.one("#page").is_displayed() and page.one("#text pre").is_displayed()


def check_schema(page):
    """Data with another schema is not drawn: the page says so, and shows the text."""
    assert "has schema 99, and this page reads schema" in page.one("#trouble").text, page.text("#trouble")
    assert not page.one("#page").is_displayed() and page.one("#text pre").is_displayed()


def check_nothing(page):
    """Nothing was found: there is no empty picture."""
    assert rows_of(page, "#facts") == [["next", "if something still waits, trace with a lower threshold (-t 10ms) while it does"]]
    for part in ("#filters", "#shown", "#timeline", "#culprits", "#samples", "#strip", "#handlers", "#pods"):
        assert not page.one(part).is_displayed(), part
    assert len(page.source) < 45000, len(page.source)


def check_handlers(page):
    """The table of handlers of the text is on the page, and the line that leads to it."""
    table = page.beside("text").split("Time in handlers (trace-irqoff handlers):\n")[1]
    assert page.text("#handlers pre").strip() == table.strip() and "softirq TIMER" in table, page.text("#handlers pre")
    assert page.one("#handlers pre").is_displayed() and "of the time in interrupts" in page.text("#head p")


def check_histogram(page):
    """The last row has no limit: latencies of an hour are in it, too."""
    rows = page.run("return [...document.querySelectorAll('#histograms tbody tr')].map(r => r.textContent)")
    assert rows == ["1 us3", "16.78 s2", "longer1"], rows


def check_strip(page):
    """Of 3,000 windows, 1,000 are drawn: the newest 500, and the longest of the others, to 0.1 ms. Window N
    takes N * 40 us, but number 7 takes a second. A strip shows the time in windows of all of them."""
    numbers = {w["seq"] for w in page.data["records"]}
    assert len(page.bars()) == len(numbers) == 1000 and numbers >= set(range(2501, 3001)) | {7}
    assert min(numbers - {7}) >= 1998, min(numbers - {7})
    assert "1,000 of 3,000 windows" in page.text("#left-out") and len(page.source) < 1500000, len(page.source)
    records = [dict(word.split("=", 1) for word in line.split()) for line in page.beside("records").splitlines()]
    ends = [float(r["end"]) for r in records]
    begins = [end - int(r["latency_ns"]) / 1e9 for end, r in zip(ends, records)]
    columns = page.attributes("#strip .busy")
    first, step = min(begins), (max(ends) - min(begins)) / len(columns)
    busy = [sum(max(0, min(e, first + (i + 1) * step) - max(b, first + i * step)) for b, e in zip(begins, ends))
            for i in range(len(columns))]
    heights = [float(c["height"]) for c in columns]
    for height, s in zip(heights, busy):
        assert abs(height / max(heights) - s / max(busy)) < 0.002, (height, s)
    page.drag("#strip svg", 400, 600)
    page.wait(lambda: "from=" in page.fragment())
    assert len(page.bars()) == 1 and page.attributes("#strip .range"), (page.fragment(), len(page.bars()))
    page.one("#culprits summary").click()
    page.wait(lambda: page.attributes("#culprits .windows"))
    assert "of its " in page.one("#culprits details p").text, "a row says how many of its windows are here"
    assert on_paper(page, "#strip .busy")[-1][1] <= on_paper(page, "#strip svg")[0][1], "the strip is cut off on paper"


def check_crowded(page):
    """Many CPUs have thin lanes, some of them with a name; the axis has the date, and stays; a list of CPUs is short."""
    heights = {float(bar["height"]) for bar in page.bars()}
    assert len(page.bars()) == 80 and heights == {3}, heights
    assert page.run("return document.querySelector('#timeline svg:last-child').getBoundingClientRect().height") < 400
    assert len(page.run("return [...document.querySelectorAll('#timeline svg:last-child text')].map(t => t.textContent)")) < 30
    labels = page.run("return [...document.querySelectorAll('.axis text')].map(t => t.textContent)")
    assert len(labels) > 3 and all(label[:3] == "11-" for label in labels), labels
    assert page.run("return getComputedStyle(document.querySelector('.axis')).position") == "sticky"
    assert "80 of 192 CPUs" in page.text("#facts"), page.text("#facts")
    # In a low window, the axis does not cover the bar with the focus.
    page.resize(1200, 300)
    page.run("document.querySelector('.bar[tabindex=\"0\"]').focus()")
    for key in [Keys.ARROW_DOWN] * 79 + [Keys.ARROW_UP] * 79:
        page.browser.switch_to.active_element.send_keys(key)
        covered = page.run("return document.querySelector('.axis').getBoundingClientRect().bottom - document.activeElement.getBoundingClientRect().top")
        assert covered < 1, (key, covered)


def check_dense(page):
    """Bars that would fill the lane are narrow and pale: CPU 0 was busy for 1 % of the time."""
    ink = sum(float(bar["width"]) * (0.35 if "faint" in bar["class"] else 1) for bar in page.bars())
    assert len(page.bars()) == 500 and ink < 0.2 * page.run("return document.querySelector('#timeline').clientWidth"), ink


def check_boot(page):
    """The times of a log without dates are seconds after boot."""
    assert "s after boot" in page.text("#shown") and "1970" not in page.text("#page"), page.text("#shown")
    labels = page.run("return [...document.querySelectorAll('.axis text')].map(t => t.textContent)")
    assert len(labels) > 3 and all(1200 < float(label.split()[0]) < 1240 for label in labels), labels


def check_timeless(page):
    """Of a log without times, it is known how long the windows were, but not when."""
    assert page.text("#shown") == "1 of 1 window.", page.text("#shown")
    labels = page.run("return [...document.querySelectorAll('.axis text')].map(t => t.textContent)")
    assert labels[:2] == ["-20 s", "-15 s"], labels


def check_widths(page):
    """From 360 to 1,600 pixels, nothing is cut off."""
    for width in (360, 800, 1600):
        page.resize(width, 900)
        page.open()
        assert page.run("return document.documentElement.scrollWidth") <= width, width


the_page = Page()
for word in sys.argv[2:]:
    if word.endswith(".html"):
        the_page.load(os.path.join(sys.argv[1], word))
        continue
    try:
        the_page.begin()
        globals()["check_" + word](the_page)
        the_page.end()
        print(word, os.path.basename(the_page.path)[:-5], "holds")
    except Exception:
        print(word, the_page.path, "fails:", traceback.format_exc()[-800:])
the_page.browser.quit()
