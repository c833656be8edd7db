"""The pages: for people with a browser. They can do what a token that may play can do, and nothing else."""
