"""What Django keeps of clubs: their tables, writing to them, what a process keeps of them, copies and accounts."""
