"""Prints how many conversations per second Python's jinja2 renders. Called by the benchmark."""

import json
import sys
import time

import jinja2.sandbox


def conversation(run):
    return [
        {
            "role": "assistant" if index % 2 else "user",
            "content": f"Message {index} of run {run}: what is {run + index} and {run * 7 - index}?",
        }
        for index in range(11)
    ]


def main():
    task = json.load(sys.stdin)
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(task["source"])
    count, elapsed, size = 0, 0.0, 0
    while elapsed < task["seconds"]:
        conversations = [conversation(count + index) for index in range(task["batch"])]
        start = time.perf_counter()
        for messages in conversations:
            size += len(template.render(messages=messages, add_generation_prompt=True))
        elapsed += time.perf_counter() - start
        count += task["batch"]
    assert size > 0
    print(count / elapsed)


main()
