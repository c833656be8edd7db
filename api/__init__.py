"""The REST API (Flask): one module for each resource; `http/` holds what all of them share."""
