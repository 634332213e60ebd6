SELECT table_name FROM user_tables WHERE table_name LIKE 'SL\_%' ESCAPE '\' ORDER BY table_name
