"""What every room may use: HTML as a tree, boosted trees, command lines, the browser's place."""
