row_to_json(f)
