"""Which packages are installed: found, so that a new ruleset is one new folder, and the templates from their folder at the top."""

import shutil

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """Fault: what an earlier release has left in `build/lib` would be installed with this one."""

    def run(self) -> None:
        """Copy the modules into an empty folder."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(packages=[*find_packages(include=["api*", "marketpost*", "workers*"]), "marketpost.templates"], cmdclass={"build_py": FreshBuild})
