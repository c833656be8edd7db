"""What people do, one verb a module. Ports (store, clock, kick) come as arguments."""
