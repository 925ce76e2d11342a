"""The command line: ``onrecord add``, ``ask``, ``search`` and the other commands.

Results go to standard output, everything else to standard error. Each command imports its dependencies inside
its function, so that ``--help`` stays quick.
"""

from __future__ import annotations

import click

from onrecord.serve.asking_cli import ask, demo, plan, search
from onrecord.serve.eval_cli import evaluate
from onrecord.serve.faq_cli import faq
from onrecord.serve.feedback_cli import feedback
from onrecord.serve.graph_cli import graph
from onrecord.serve.group import HELP, Commands
from onrecord.serve.init_cli import init
from onrecord.serve.keys_cli import keys
from onrecord.serve.models_cli import calibrate, embed, models, summarize
from onrecord.serve.moving_cli import backup, copy, doctor, import_table, restore
from onrecord.serve.recordings_cli import (
    add,
    edit,
    export,
    list_recordings,
    remove,
    rename,
    show_recording,
    stats,
)
from onrecord.serve.serve_cli import chat, mcp, serve
from onrecord.serve.settings_cli import settings
from onrecord.serve.strategies_cli import strategies
from onrecord.serve.watch_cli import watch

EXAMPLES = """\b
Examples:
  onrecord demo
  onrecord add talks/ show.xml call.vtt --set show="Night Desk"
  onrecord ask "Why did margins fall?"
  onrecord search tariffs --speaker kelly --since 2024-01

\b
onrecord COMMAND --help explains a command and its options.
"""


@click.group(cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": sorted(HELP)})
@click.version_option(package_name="onrecord")
def main() -> None:
    """Ask recordings of spoken word a question.

    Add transcripts, then ask. Each answer quotes what was said, and shows who said it, where, and at which
    second, so that you can check it. Nothing leaves your machine unless you name a language model.
    """


main.add_sections(
    {
        "Start": (demo, init, add, ask),
        "Change recordings": (watch, edit, rename, remove),
        "Look and search": (search, plan, list_recordings, show_recording, export, stats, graph),
        "Ready answers": (faq,),
        "Serve others": (serve, chat, mcp, keys),
        "Models": (models, embed, summarize),
        "Measure and tune": (evaluate, calibrate, feedback, strategies, settings),
        "Whole archives": (import_table, copy, backup, restore, doctor),
    }
)
