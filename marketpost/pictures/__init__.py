"""Draw PNG pictures of boards for programs that cannot show SVG."""
