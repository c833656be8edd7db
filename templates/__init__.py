"""Letters and pages as data; packaged as `marketpost.templates`."""
