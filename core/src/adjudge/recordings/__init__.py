"""Recordings: files of any compression, encoding and shape, read into records and samples."""
