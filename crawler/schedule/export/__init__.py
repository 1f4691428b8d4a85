"""Schedules for other schedulers: units of systemd, CronJobs of Kubernetes."""
