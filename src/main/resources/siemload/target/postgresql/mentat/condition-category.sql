e.category && ARRAY[:'category']
