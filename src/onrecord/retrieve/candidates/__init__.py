"""Where to look: which passages, sections and recordings a question is put to."""
