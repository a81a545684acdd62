"""The rate limit: what responses say about it, the budget of a user, and retries."""
