"""From the curve to stretches of talk, in an order, within a budget."""
