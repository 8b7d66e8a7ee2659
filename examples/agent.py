#!/usr/bin/env python3
"""An agent for discreet in one small file; nothing but Python's standard library.

    discreet run scenarios --agent 'mine=exec:python3 examples/agent.py' --mode e2e,state

One JSON object per line comes in on stdin, one goes out on stdout for each `observe` and `decide`
(none for `reset`). What is written to stderr shows up in the error when this process dies.

This agent opens the apps that the errand's words name, reads what is there, and tells the user how
many lines it saw. Replace `choose` and `decide` by something better.
"""

import json
import re
import sys

LINK = re.compile(r"^\s*\[(?P<bid>\w+)\] link '(?P<name>[^']+)'", re.MULTILINE)


class Agent:
    def reset(self, message):
        self.goal = message["goal"].lower()
        self.visited = set()
        self.seen = set()

    def choose(self, observation):
        """The next action, and why, for what is on the page now."""
        tree = observation["axtree"] or ""
        self.seen.update(line.strip() for line in tree.splitlines())
        for link in LINK.finditer(tree):
            words = re.findall(r"\w{4,}", link["name"].lower())
            if link["name"] not in self.visited and any(word in self.goal for word in words):
                self.visited.add(link["name"])
                return f"click({link['bid']!r})", f"The errand is about {link['name']}."
        if not self.visited:
            self.visited.add("nothing")
            return "noop(0)", "Nothing here is in the errand; one more look."
        return f"finish('I read {len(self.seen)} lines.')", "There is nothing more to open."

    def decide(self, state):
        """The reply of state mode: what to pass on, and to whom."""
        return {
            "completed": False,
            "shared_content": [],
            "recipient": None,
            "reasoning": f"I only read {len(json.dumps(state))} characters.",
        }


def main():
    agent = Agent()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "reset":
            agent.reset(message)
            continue
        if message["type"] == "observe":
            action, thought = agent.choose(message["observation"])
            reply = {"action": action, "thought": thought}
        else:
            reply = agent.decide(message["state"])
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
