"""What everything else stands on: errors, models, open enumerations, times and the clock."""
