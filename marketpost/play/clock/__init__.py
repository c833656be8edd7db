"""Time: calendars, deadlines, timeouts and vacation."""
