e.source_text
