"""Programs as data: parsing, printing, tracing and simplifying."""
