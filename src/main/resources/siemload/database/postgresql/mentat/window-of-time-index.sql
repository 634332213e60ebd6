-- The same as condition-window.sql, but that an index of another kind than btree cannot answer it: no id sorts before ''.
(e.detect_time, e.id) >= (:'from', '') AND (e.detect_time, e.id) < (:'until', '')
