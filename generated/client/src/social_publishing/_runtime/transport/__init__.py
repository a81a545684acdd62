"""One attempt over the wire: the HTTP library, connections and middleware."""
