"""Every screen in every state, language and size."""
