-- Single addresses alone.
e.target_text = :'first_text' AND :'first_text' = :'last_text'
