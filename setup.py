"""Which packages are installed: found, so that a new ruleset is one new folder, and the templates from their folder at the top."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["api*", "marketpost*", "workers*"]), "marketpost.templates"])
