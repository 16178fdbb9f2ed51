"""What every process of ours needs: logs, worker processes, progress, which modules are compiled."""
