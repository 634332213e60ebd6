l.text
