"""The chat in Chainlit's front end, which needs the extra ``chainlit``."""
