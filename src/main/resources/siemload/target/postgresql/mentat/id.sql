e.id
