"""Benchmarks of speed, memory and fidelity, compared with peers in the same run."""
