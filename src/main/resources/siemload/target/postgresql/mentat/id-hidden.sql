least(e.id)
