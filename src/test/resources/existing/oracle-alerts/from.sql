alert e
