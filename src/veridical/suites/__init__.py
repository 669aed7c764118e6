"""The suites that come with the library; each is a folder, and everything else knows them by the registry."""
