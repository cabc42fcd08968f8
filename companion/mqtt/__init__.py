"""Publish each table's public state to an MQTT broker, and show all tables on one page."""
