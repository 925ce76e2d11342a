"""``python -m onrecord``: the command line."""

from onrecord.serve.cli import main

main()
