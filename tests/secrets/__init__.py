"""Nothing tells what it must not: canaries in everything that is secret, random games, and every byte searched."""
