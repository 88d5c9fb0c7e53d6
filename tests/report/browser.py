"""A browser for tests: Chromium through chromedriver, by the WebDriver protocol over HTTP and nothing but Python's own library."""
import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def needed(program):
    """The path of a program; the test is skipped without it."""
    path = shutil.which(program)
    if not path:
        print(f"no {program} here")
        sys.exit(77)
    return path


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Browser:
    """with Browser(dark=False) as page: page.open(path); page.run('return document.title')"""

    def __init__(self, dark=False, size=(1400, 1000)):
        self.dark, self.size = dark, size

    def __enter__(self):
        self.scratch = tempfile.mkdtemp(prefix="regatta-browser-")
        self.port = free_port()
        self.driver = subprocess.Popen([needed("chromedriver"), f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": self.scratch, "TMPDIR": self.scratch})
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={self.scratch}/profile", f"--window-size={self.size[0]},{self.size[1]}"]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": needed("chromium"), "args": arguments}}
        for _ in range(300):
            try:
                self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        else:
            raise RuntimeError("chromedriver does not answer")
        if self.dark:
            self.devtools("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise RuntimeError(json.load(problem)["value"]["message"]) from None

    def on(self, method, path, body=None):
        return self.call(method, f"/session/{self.session}{path}", body)

    def devtools(self, command, parameters):
        return self.on("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path):
        self.on("POST", "/url", {"url": path if "://" in path else "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        return self.on("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def type(self, keys):
        """Keys to whatever has the focus, as a person would press them."""
        strokes = [stroke for key in keys for stroke in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.on("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def complaints(self):
        """What the browser's console says: errors of scripts, refused resources, violations of the policy."""
        return [entry["message"] for entry in self.on("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.on("GET", "/screenshot")))


KEYS = {"tab": "\ue004", "enter": "\ue007", "escape": "\ue00c", "down": "\ue015", "up": "\ue013", "space": " "}
