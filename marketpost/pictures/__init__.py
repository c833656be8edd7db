"""Pictures for programs that know no SVG. Depends on nothing but what draws."""
