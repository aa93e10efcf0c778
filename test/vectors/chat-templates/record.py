"""Records what Python's jinja2 makes of our templates, as the expected results of our tests.

Run it with a Python that has jinja2 3.1.2: python3 record.py
It reads cases.json, features.json and templates/, and writes expected.json beside them.
"""

import datetime
import json
import pathlib
import sys

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

HERE = pathlib.Path(__file__).parent


class Generation(jinja2.ext.Extension):
    """The tag around what an assistant says; it only groups its body."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        call = self.call_method("_print")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _print(self, caller):
        return caller()


class Refused(Exception):
    pass


def refuse(message):
    raise Refused(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def make_environment(now):
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda format: now.strftime(format)
    return environment


def render(environment, source, variables):
    try:
        template = environment.from_string(source)
    except (jinja2.TemplateError, SyntaxError):
        return {"invalid": True}
    try:
        return {"text": template.render(**variables)}
    except Refused as refusal:
        return {"refused": str(refusal)}
    except Exception:
        return {"failed": True}


def main():
    cases = json.loads((HERE / "cases.json").read_text("utf-8"))
    features = json.loads((HERE / "features.json").read_text("utf-8"))
    environment = make_environment(datetime.datetime(*cases["now"]))
    conversations = {}
    for path in sorted((HERE / "templates").glob("*.jinja")):
        source = path.read_text("utf-8")
        for name, case in cases["conversations"].items():
            for add_generation_prompt in (False, True):
                variables = {
                    **cases["special_tokens"],
                    **case.get("variables", {}),
                    "messages": case["messages"],
                    "tools": cases["tools"] if case.get("tools") else None,
                    "documents": cases["documents"] if case.get("documents") else None,
                    "add_generation_prompt": add_generation_prompt,
                }
                key = f"{path.stem} / {name} / {str(add_generation_prompt).lower()}"
                conversations[key] = render(environment, source, variables)
    expected = {
        "made_with": f"jinja2 {jinja2.__version__}, Python {sys.version.split()[0]}",
        "conversations": conversations,
        "features": {
            source: render(environment, source, features["variables"])
            for source in features["templates"]
        },
    }
    text = json.dumps(expected, ensure_ascii=False, indent=0)
    (HERE / "expected.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
