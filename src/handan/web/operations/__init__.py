"""How the server is watched: health, metrics, logs without personal data, and what is unsafe."""
