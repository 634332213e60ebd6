ARRAY[f.verdict]
