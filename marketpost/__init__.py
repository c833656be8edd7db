"""Marketpost: two board games played over days, by mail, in a browser or over REST."""
