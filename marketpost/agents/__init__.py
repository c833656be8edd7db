"""Tools for agents (Model Context Protocol), built on the client: over stdio by `marketpost mcp`, over HTTP at `/mcp`; docs/agents.md."""
