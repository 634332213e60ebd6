f.verdict = :'category'
