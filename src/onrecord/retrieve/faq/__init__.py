"""The FAQ: direct answers, decisions between a few entries, or a question back to the user."""

from onrecord.retrieve.faq.faq import Faq, FaqAdded
from onrecord.retrieve.faq.reply import Candidate, Clarify, FaqReply
from onrecord.retrieve.faq.settings import FaqSettings

__all__ = ["Candidate", "Clarify", "Faq", "FaqAdded", "FaqReply", "FaqSettings"]
