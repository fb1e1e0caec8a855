"""The code judge: untrusted Python, run in the sandbox."""
