COPY (:statement) TO STDOUT (FORMAT binary)
