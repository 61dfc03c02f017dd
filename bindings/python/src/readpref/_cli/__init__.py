"""The command line `readpref`. Nothing here is imported by `import readpref`; docs/cli.md describes it."""
