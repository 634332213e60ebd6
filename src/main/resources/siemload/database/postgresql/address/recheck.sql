-- The exact check of what the lookup found; a CASE, so that its estimate is not multiplied with that of the lookup.
CASE WHEN :condition THEN true ELSE false END
