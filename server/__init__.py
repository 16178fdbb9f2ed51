"""The table server: tables, journal, owner, gateway, lobby."""
