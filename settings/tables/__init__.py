"""The tables of a job file, a module each."""
