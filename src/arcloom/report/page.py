"""HTML pages: single files with style, scripts and data, which load nothing else."""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from arcloom.report.details import PROGRAMS, details
from arcloom.report.encode import json_text, packed, task_json, trace_json
from arcloom.report.overview import overview
from arcloom.report.run_data import RunData
from arcloom.report.trace import Trace
from arcloom.tasks.picture import LINE, PALETTE, STRANGE
from arcloom.tasks.task import Task

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""Content security policy: the page cannot load or send anything."""

REPORT_SCRIPTS = ("draw.js", "trace.js", "overview.js", "report.js")
"""The scripts that show a run, on a page of its own and in the studio."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{policy}
<meta name="generator" content="arcloom">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main id="main"><noscript>This page needs JavaScript.</noscript></main>
<script type="application/json" id="data">{data}</script>
{studio}{blocks}
<script>
{script}
</script>
</body>
</html>
"""


def page(
    title: str,
    data: Any,
    scripts: Sequence[str],
    blocks: Mapping[str, Any] | None = None,
    *,
    studio: Mapping[str, Any] | None = None,
) -> str:
    """A page that contains data and the scripts of ``assets`` that show it.

    ``blocks`` are named data that the page decodes when they are first needed. ``studio`` are the data of all pages of
    the studio; these pages contain no content security policy, because the server sends one. Text in the data cannot
    end a script or begin a tag, because ``<`` is escaped.
    """
    return _PAGE.format(
        policy="" if studio else f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        title=escape(title),
        style=asset("style.css"),
        data=escaped(data),
        studio=f'<script type="application/json" id="studio">{escaped(studio)}</script>\n' if studio else "",
        blocks="\n".join(_block(name, block) for name, block in (blocks or {}).items()),
        script="\n".join((_constants(), *map(asset, scripts))),
    )


def escaped(data: Any) -> str:
    """JSON that is safe inside a script element."""
    return json_text(data).replace("<", "\\u003c")


def _block(name: str, data: Any) -> str:
    return f'<script type="text/plain" data-block="{escape(name)}">{packed(data)}</script>'


def _constants() -> str:
    constants = {"PALETTE": PALETTE, "STRANGE": STRANGE, "GRID_LINE": LINE}
    return "\n".join(f"const {name} = {json_text(value)};" for name, value in constants.items())


def asset(name: str) -> str:
    """The text of a file in ``assets``."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def trace_page(task: Task, traces: Sequence[Trace]) -> str:
    """A page with the traces of programs on one task."""
    data = {"task": task_json(task), "traces": list(map(trace_json, traces))}
    return page(f"arcloom trace: {task.id}", data, ("draw.js", "trace.js", "trace_page.js"))


def report_page(data: RunData, programs: int = PROGRAMS) -> str:
    """A page about a run: an overview, and the details of each task."""
    scripts = (*REPORT_SCRIPTS, "report_page.js")
    return page(f"arcloom report: {data.dataset.name}", overview(data), scripts, details(data, programs))
