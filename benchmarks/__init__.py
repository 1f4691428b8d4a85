"""Speed, memory and fidelity, each figure beside a peer's in the same run."""
