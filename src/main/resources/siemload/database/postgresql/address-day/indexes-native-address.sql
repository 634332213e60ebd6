-- index event_address_address
CREATE INDEX event_address_address ON event_address (address, detect_time DESC);
