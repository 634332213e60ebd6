NVL(l.text, TO_CHAR(CASE s.side WHEN 'S' THEN e.source_port ELSE e.target_port END))
