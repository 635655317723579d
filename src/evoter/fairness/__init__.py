"""What rules do to groups of people: audits of bias, where differences come from, and ways to repair them."""
