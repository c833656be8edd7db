"""HTTP edge: each view parses a request, calls a use case of `marketpost.play` and serializes the response."""
