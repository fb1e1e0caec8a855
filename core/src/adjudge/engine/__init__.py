"""The engine: samples are cut into chunks, chunks become tasks, tasks are carried out by workers."""
