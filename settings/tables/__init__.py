"""The tables of a job file, one module each."""
