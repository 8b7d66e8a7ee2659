"""BrowserGym with the browser that we use: what the benchmarks that run it beside us begin with.

Arguments: the address of a page, the browser's executable, and what a benchmark adds.
"""

import sys
import time

import playwright.sync_api as playwright

url, executable, *more = sys.argv[1:]
launch = playwright.BrowserType.launch


def launch_ours(self, **options):
    options["executable_path"] = executable
    options["args"] = [*(options.get("args") or []), "--no-sandbox", "--disable-gpu"]
    return launch(self, **options)


playwright.BrowserType.launch = launch_ours
import gymnasium, browsergym.core  # noqa: E401, E402 (they take the launch of now)
from browsergym.core.env import BrowserEnv  # noqa: E402
from browsergym.core.task import OpenEndedTask  # noqa: E402


def environment():
    """On the page, without the fixed pause of half a second before each observation."""
    return BrowserEnv(OpenEndedTask, task_kwargs={"start_url": url, "goal": ""}, slow_mo=0, pre_observation_delay=0)


