# SPDX-License-Identifier: GPL-2.0
#
# page.py DIRECTORY [PAGE.html CHECK...]...: open DIRECTORY/PAGE.html in Chromium. For each CHECK that holds,
# print a line "CHECK holds". The checks are the functions below whose names begin with check_. Each also fails
# if there is a message on the console, or a request to anything but the page. A check may read PAGE.text and
# PAGE.trace.
import glob
import json
import os
import sys
import tempfile
import traceback

from selenium.webdriver.common.keys import Keys

from browser import Page

LEFT, RIGHT, BAR, LANE, WIDE = 56, 8, 9, 30, 8  # see base.js
KINDS = ["hardirq", "softirq", "nosched"]


def windows_of(data):
    """All windows as the page numbers them, with begin and end in ms after the first begin."""
    last = max([int(w["end_ns"]) for w in data["records"]], default=0)
    windows = data["open"] + data["records"]
    ends = [last if w["open"] else int(w["end_ns"]) for w in windows]
    base = min(end - w["latency_ns"] for end, w in zip(ends, windows))
    for end, w in zip(ends, windows):
        w["begin"] = (end - w["latency_ns"] - base) / 1e6
        w["end"] = (end - base) / 1e6
    return sorted(windows, key=lambda w: w["begin"])


def shown_range(page, windows):
    """The first and the last ms of the timeline, and the ms of a pixel. 1 % is free on each side."""
    end = max(w["end"] for w in windows)
    width = page.run("return document.querySelector('#timeline').clientWidth")
    return -end / 100, end * 1.01, end * 1.02 / (width - LEFT - RIGHT)


def check_bars(page):
    """The bars, marks and lines are the windows, samples and waiters of the data."""
    windows = windows_of(page.data)
    first, _, scale = shown_range(page, windows)
    cpus = sorted({w["cpu"] for w in windows})
    bars, marks = page.bars(), 0
    assert len(bars) == len(windows) > 1, (len(bars), len(windows))
    for bar in bars:
        w = windows[int(bar["data-window"])]
        x, size = LEFT + (w["begin"] - first) / scale, max((w["end"] - w["begin"]) / scale, 3)
        assert abs(float(bar["x"]) - x) < 0.2 and abs(float(bar["width"]) - size) < 0.2, (bar, x, size)
        lane = (float(bar["y"]) - 20 - 2 - BAR * KINDS.index(w["kind"])) / LANE
        assert lane == cpus.index(w["cpu"]), (bar, w["cpu"])
        culprit = w.get("row")
        if not w["open"]:
            assert bar["class"].split()[1] == ("other" if culprit is None or culprit > 7 else f"c{culprit}"), bar
        assert ("open" in bar["class"]) == w["open"] and ("waiter" in bar["class"]) == bool(w.get("holder")), bar
        assert f"CPU {w['cpu']}, " in bar["aria-label"], bar
        marks += len(w["samples"]) if size >= WIDE else 0
    assert len(page.attributes("#timeline .mark")) == marks > 0, marks
    assert len(page.attributes("#timeline .wait")) == sum(bool(w.get("holder")) for w in windows)


def check_waiters(page):
    """A window that waited is linked to its holder, and a click on the link shows the holder."""
    assert len(page.attributes("#timeline .wait")) == 3
    windows = windows_of(page.data)
    waiter = next(i for i, w in enumerate(windows) if w.get("holder"))
    page.open(f"#window={waiter}")
    page.one("#window .link").click()
    assert f"Window {windows[waiter]['holder']}:" in page.text("#window h3"), page.text("#window h3")
    assert page.text("#summary").startswith("Culprit: do_task_stat: "), page.text("#summary")
    known = page.data["culprits"][0]["known"]
    assert known["cause"] in page.text("#facts") and known["helps"] in page.text("#facts")


def check_ping(page):
    """Each reply is a line above the lanes, and those that were slow have another colour."""
    replies = page.data["ping"]["replies"]
    slow = [ms for _, ms, *_ in replies if ms > page.data["ping"]["slow_ms"]]
    assert len(page.attributes(".reply")) == len(replies) > len(slow) > 0
    assert len(page.attributes(".reply.slow")) == len(slow)
    assert all(line in page.text("#also") for line in page.data["ping"]["lines"]) and "Windows explain 1 of" in page.text("#also")
    assert "do_task_stat" in page.text(".reply.slow title"), page.text(".reply.slow title")


def check_icicle(page):
    """The frames are the stacks of the samples; a click shows one frame alone, and a second one all."""
    counts = {}
    for w in page.data["open"] + page.data["records"]:
        for sample in w["samples"]:
            path = ""
            for name in [None] + page.data["stacks"][sample["stack"]]:
                path = path + ";" + name if name else ""
                counts[path] = counts.get(path, 0) + 1
    frames = {f["data-frame"]: f for f in page.attributes(".frame")}
    assert {path: int(f["data-count"]) for path, f in frames.items()} == counts
    whole = float(frames[""]["width"])
    for path, frame in frames.items():
        assert abs(float(frame["width"]) - whole * counts[path] / counts[""]) < 0.2, frame
    path = next(path for path in counts if path.count(";") > 2 and counts[path] < counts[""])
    page.run("document.querySelector(`[data-frame='${arguments[0]}']`).dispatchEvent(new MouseEvent('click', {bubbles: true}))", path)
    zoomed = {f["data-frame"]: float(f["width"]) for f in page.attributes(".frame")}
    assert zoomed[path] == whole and set(zoomed) == {p for p in counts if path.startswith(p) or p.startswith(path)}, zoomed
    page.open(page.fragment())
    assert len(page.attributes(".frame")) == len(zoomed), "the fragment keeps the frame"


def check_filters(page):
    """Filters, zoom and the fragment choose the windows of the data."""
    windows = windows_of(page.data)

    def numbers():
        return {int(bar["data-window"]) for bar in page.bars()}

    def chosen(test):
        return {i for i, w in enumerate(windows) if test(w)}

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
    assert numbers() == whole and page.fragment() in ("", "#"), page.fragment()
    first, last, scale = shown_range(page, windows)
    page.one("[data-zoom=in]").click()
    begin, end = zoomed()
    assert abs(end - begin - (last - first) / 2) < 0.01, page.fragment()
    assert numbers() == chosen(lambda w: w["end"] >= begin and w["begin"] <= end) != whole
    page.one("[data-zoom=out]").click()
    assert numbers() == whole
    box = page.run("const r = document.querySelector('#timeline svg').getBoundingClientRect(); return [r.left, r.top + 25]")
    for kind, x in (("mousePressed", 200), ("mouseMoved", 300), ("mouseMoved", 400), ("mouseReleased", 400)):
        page.command("Input.dispatchMouseEvent", type=kind, x=box[0] + x, y=box[1], button="left", buttons=1, clickCount=1)
    begin, end = zoomed()
    assert abs(begin - (first + (200 - LEFT) * scale)) < 2 * scale, page.fragment()
    assert abs(end - begin - 200 * scale) < 2 * scale, page.fragment()


def check_keyboard(page):
    """Tab reaches all controls, arrow keys go from window to window, and Enter and Space press."""
    windows = windows_of(page.data)
    press = lambda key: page.browser.switch_to.active_element.send_keys(key)
    focused = lambda: page.run("const a = document.activeElement; return a.id || a.dataset.zoom || a.classList[0] || a.type || a.tagName")
    reached = []
    while len(reached) < 40 and "frame" not in reached:
        press(Keys.TAB)
        reached.append(focused())
    expected = ["cpu", "kind", "culprit", "reset", "save", "in", "out", "left", "right", "all", "bar", "SUMMARY", "frame"]
    assert [name for name in expected if name in reached] == sorted(expected, key=reached.index), reached
    place = lambda: page.run("const a = document.activeElement; return [+a.getAttribute('x') + a.getAttribute('width') / 2, +a.getAttribute('y')]")
    page.run("document.querySelector('.bar[tabindex=\"0\"]').focus()")
    seen, moves = set(), 0
    for key in [Keys.ARROW_DOWN, Keys.ARROW_RIGHT] * 2 * len(windows) + [Keys.ARROW_UP, Keys.ARROW_LEFT] * len(windows):
        number, (x, y) = page.run("return document.activeElement.dataset.window"), place()
        seen.add(number)
        press(key)
        (to_x, to_y) = place()
        along = {Keys.ARROW_DOWN: to_y - y, Keys.ARROW_UP: y - to_y, Keys.ARROW_RIGHT: to_x - x, Keys.ARROW_LEFT: x - to_x}[key]
        moved = page.run("return document.activeElement.dataset.window") != number
        assert along > 0 if moved else along == 0, (number, key, along)
        moves += moved
    assert len(seen) > 2 and None not in seen and moves > 3, (seen, moves)
    number = page.run("return document.activeElement.dataset.window")
    w = windows[int(number)]
    for key in (Keys.ENTER, Keys.SPACE):
        press(key)
        assert f"window={number}" in page.fragment() and page.text("#window"), (key, page.fragment())
        assert page.data["states"][w["state"]] in page.text("#window"), "states are words"
        stacks = page.run("return [...document.querySelectorAll('#window .stack ol')].map(l => [...l.children].map(i => i.textContent))")
        expected = [page.data["stacks"][s["stack"]][::-1] for s in w["samples"]]
        assert stacks[:len(expected)] == expected, stacks
        press(key)
        assert "window=" not in page.fragment() and not page.text("#window"), (key, page.fragment())
    # One culprit opens to all of its windows, and a window to its stacks.
    page.one("#culprits summary").send_keys(Keys.ENTER)
    page.wait(lambda: page.attributes("#culprits [data-window-of]"))
    assert len(page.attributes("#culprits [data-window-of]")) == sum(w.get("row") == 0 for w in windows)
    page.one("#culprits li summary").send_keys(Keys.SPACE)
    page.wait(lambda: page.attributes("#culprits li .stack"))
    for frame in page.attributes(".frame") + page.bars():
        assert frame["role"] == "button" and frame["aria-label"], frame


def check_print(page):
    """A print has the answer, other causes as in the text, the windows, and the facts of all culprits,
    but no controls."""
    page.command("Emulation.setEmulatedMedia", media="print")
    page.run("dispatchEvent(new Event('beforeprint'))")
    for part in ("#summary", "#facts", "#timeline .bar", "#notes"):
        assert page.one(part).is_displayed(), part
    facts = page.browser.find_elements("css selector", "#culprits .facts")
    assert len(facts) == len(page.data["culprits"]) > 1 and all(box.is_displayed() for box in facts), len(facts)
    for part in ("#filters", "#zoom", ".hint"):
        assert not page.one(part).is_displayed(), part
    page.run("dispatchEvent(new Event('afterprint'))")
    assert not page.attributes("#culprits > details[open]")
    assert page.data["also"], "the data has one"
    for text in page.data["also"]:
        assert text in page.text("#also") and text in " ".join(page.text("#text pre").split()), text


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
    """A link with values out of range, or of another page, shows all windows."""
    for link in ("#from=0&to=1e308", "#from=1000000000000000000&to=1000000000000000128", "#from=-1e300&to=-1e299",
                 "#from=NaN&to=x", "#cpu=x", "#kind=__proto__", "#culprit=constructor", "#window=-1&frame=;x"):
        page.open(link)
        assert page.one("#page").is_displayed() and len(page.bars()) == len(windows_of(page.data)), link


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
    """Nothing was found: the first line says so, and there is no empty picture."""
    assert page.one("#summary").text.startswith("Nothing found"), page.text("#summary")
    for part in ("#facts", "#filters", "#zoom", "#culprits", "#samples"):
        assert not page.one(part).is_displayed(), part


def check_many(page):
    """Of 3,000 windows, 1,000 are drawn: the newest 500, and the longest of the others, to 0.1 ms. Window N
    takes N * 40 us, but number 7 takes a second."""
    assert len(page.bars()) == len(page.data["records"]) == 1000
    numbers = {w["seq"] for w in page.data["records"]}
    assert numbers >= set(range(2501, 3001)) and 7 in numbers
    assert min(numbers - {7}) >= 1998, min(numbers - {7})
    assert "This page has 1000 of 3000 windows" in page.text("#notes")
    assert len(page.source) < 1500000, len(page.source)


def luminance(colour):
    parts = [int(colour[i] * 2 if len(colour) == 4 else colour[2 * i - 1:2 * i + 1], 16) / 255 for i in (1, 2, 3)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def check_looks(page):
    """Contrasts are those of WCAG AA, light and dark; from 360 to 1,600 pixels, nothing is cut off."""
    for scheme in ("light", "dark"):
        page.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        colour = page.run("const s = getComputedStyle(document.documentElement); return Object.fromEntries("
                          "[...document.styleSheets[0].cssRules[0].style].map(n => [n, s.getPropertyValue(n).trim()]))")
        for text, back in (("text", "back"), ("dim", "back"), ("text", "box"), ("dim", "box"), ("link", "back"),
                           ("link", "box"), ("text", "frame"), ("text", "culprit")):
            assert contrast(colour["--" + text], colour["--" + back]) >= 4.5, (scheme, text, back)
        for bar in ["other"] + [f"c{i}" for i in range(8)]:
            assert contrast(colour["--" + bar], colour["--back"]) >= 3, (scheme, bar)
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
        print(word, "holds")
    except Exception:
        print(word, "fails:", traceback.format_exc()[-800:])
the_page.browser.quit()
