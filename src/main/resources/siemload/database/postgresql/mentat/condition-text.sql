position(:'text' IN e.description) > 0
