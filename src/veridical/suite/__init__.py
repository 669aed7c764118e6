"""What a suite is, the registry of suites, and the kit for writing one."""
