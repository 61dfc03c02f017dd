"""Importers: from what an operator saved to a request, with notes on what the source cannot tell or had to be guessed.

They are functions of documents alone: no files, no clock. What they give is an ordinary request of docs/json.md.
"""
