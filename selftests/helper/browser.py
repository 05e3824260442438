# SPDX-License-Identifier: GPL-2.0
#
# Pages in Chromium, for page.py: what they show, and what a user does.
import json
import os
import re
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait


class Page:
    def __init__(self):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--no-first-run", "--user-data-dir=" + tempfile.mkdtemp(),
                         "about:blank"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def load(self, path):
        """From here on, this is the page."""
        self.path = path
        self.url = "file://" + os.path.abspath(path)
        with open(path) as file:
            self.source = file.read()
        text = re.search(r'<script type="application/json" id="data">\n(.*?)\n</script>', self.source, re.S)
        self.data = json.loads(text.group(1))

    def begin(self):
        """Open the page, as no check has changed it."""
        for log in ("browser", "performance"):
            self.browser.get_log(log)
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        self.resize(1200, 900)
        self.open()

    def beside(self, suffix):
        """The text of the file that belongs to the page."""
        with open(self.path.replace(".html", "." + suffix)) as file:
            return file.read()

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def command(self, name, **arguments):
        return self.browser.execute_cdp_cmd(name, arguments)

    def open(self, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(self.url + fragment)

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def attributes(self, selector):
        """The attributes of all elements that match."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map("
                        "e => Object.fromEntries([...e.attributes].map(a => [a.name, a.value])))", selector)

    def bars(self):
        return self.attributes("#timeline .bar")

    def select(self, name, value):
        self.one(f'#{name} option[value="{value}"]').click()

    def drag(self, selector, first, last):
        """Move the mouse with a pressed button, near the upper edge, from one distance from the left edge to another."""
        left, top = self.run("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'}); "
                             "return [e.getBoundingClientRect().left, e.getBoundingClientRect().top + 5]", selector)
        for kind, x in (("mousePressed", first), ("mouseMoved", (first + last) / 2), ("mouseMoved", last), ("mouseReleased", last)):
            self.command("Input.dispatchMouseEvent", type=kind, x=left + x, y=top, button="left", buttons=1, clickCount=1)

    def wait(self, ready):
        """Wait until ready() is true: some elements are drawn after an event."""
        WebDriverWait(self.browser, 30).until(lambda _: ready())

    def fragment(self):
        return self.run("return location.hash")

    def end(self):
        """Fail if there was a message on the console, or a request to anything but the page."""
        messages = self.browser.get_log("browser")
        requests = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        urls = {r["params"]["request"]["url"] for r in requests if r["method"] == "Network.requestWillBeSent" and
                r["params"]["documentURL"].startswith(self.url)}
        assert not messages, messages
        others = [url for url in urls if url != self.url and not url.startswith(("blob:", self.url + "#"))]
        assert urls and not others, others
