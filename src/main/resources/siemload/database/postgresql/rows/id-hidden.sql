least(:id)
