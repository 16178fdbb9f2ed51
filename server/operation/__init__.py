"""For the operator: settings, metrics, health, backup, the own bot host, the admin socket."""
