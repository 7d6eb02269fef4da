"""The games as the original programs saw them, by their own descriptions: baselines to
compare other learners with. Notty's stands beside that game's other features."""
