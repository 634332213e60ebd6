e.category
