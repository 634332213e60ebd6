DECLARE page_cursor NO SCROLL CURSOR FOR :statement
