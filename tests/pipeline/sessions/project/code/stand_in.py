"""Stands for the service."""

ROUTES = {"/beds/{bed}": "getBed", "/beds/7": None}


def plant(client):
    bed = client.beds.get_bed("7")
    client.beds.plant_bed(width=3, depth=2)
    client.beds.list_beds(shade="full", old_name=1, open=True, on=None, marks=[1])
    return bed.width, bed.sowing, "fallow"
