-- index event_address_event
CREATE INDEX event_address_event ON event_address (event_id);
