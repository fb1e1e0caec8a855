"""adjudge: put judges to recorded runs of LLM agents."""
