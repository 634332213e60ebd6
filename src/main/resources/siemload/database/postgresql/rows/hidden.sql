(:condition) IS TRUE
