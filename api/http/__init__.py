"""HTTP plumbing shared by the resources: application, authentication, limits, problems, schemas."""
