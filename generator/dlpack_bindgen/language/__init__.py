"""The keys of the language, declared once, and what is made of that: schema and reference."""
