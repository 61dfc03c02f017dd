"""Importers: from what an operator saved to a request, with notes on what the source cannot tell or had to be guessed.

The engine's method `import` reads the documents; here is what the command line adds.
"""
