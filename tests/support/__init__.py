"""The test language, shared by all tests."""
