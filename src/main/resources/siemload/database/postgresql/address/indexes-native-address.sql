-- foreign key event_address_event_id
ALTER TABLE event_address
    ADD CONSTRAINT event_address_event_id FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE;

-- index event_address_address
CREATE INDEX event_address_address ON event_address (address, detect_time DESC);
