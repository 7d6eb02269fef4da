"""The commands of `kibitz`, grouped by what they are for."""
