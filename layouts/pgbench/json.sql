row_to_json(h)
