"""The forms of conditions, one module each: everything about a form that is not compiled is said in its module."""
