"""The studio: a local web application to write programs, draw tasks, and watch searches."""
