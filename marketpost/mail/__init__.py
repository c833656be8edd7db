"""Mail: letters to players (`outbound/`) and messages from them (`inbound/`)."""
