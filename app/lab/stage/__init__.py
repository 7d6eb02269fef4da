"""The stage "Watch it learn": a new learner is trained, measured and studied while one looks on."""
