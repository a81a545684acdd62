"""What published posts did: added up, and drawn in a terminal, on a page, in a workbook."""
