"""The functions of `handan.shortcuts` as editors know them: `typed.pyi` has the settings of each system."""

from handan.shortcuts import live, rate

__all__ = ["live", "rate"]
