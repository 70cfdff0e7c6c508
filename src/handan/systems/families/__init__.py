"""What several systems share, and rules of one organisation that would hide its formula."""
