NVL(l.text, e.category)
