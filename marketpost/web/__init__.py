"""Web pages. A session has the scopes `read` and `play`, never `admin`."""
