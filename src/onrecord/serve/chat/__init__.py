"""The chat in Chainlit's front end: the extra ``chainlit``."""
