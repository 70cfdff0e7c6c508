"""Tables as people keep them: headings in many languages, dates and results as they write them, cross tables."""
