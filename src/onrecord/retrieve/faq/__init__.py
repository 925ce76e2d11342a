"""The FAQ: questions answered at once, decided between a few, or asked back."""

from onrecord.retrieve.faq.faq import Faq, FaqAdded
from onrecord.retrieve.faq.reply import Candidate, Clarify, FaqReply
from onrecord.retrieve.faq.settings import FaqSettings

__all__ = ["Candidate", "Clarify", "Faq", "FaqAdded", "FaqReply", "FaqSettings"]
