"""Plumbing that all REST calls share: the app, access, idempotency, limits, schemas, problems and the OpenAPI document."""
