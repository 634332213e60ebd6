FETCH FORWARD :size FROM page_cursor
