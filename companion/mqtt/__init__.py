"""Many tables: what is public at each goes to an MQTT broker, and a wall shows them all."""
