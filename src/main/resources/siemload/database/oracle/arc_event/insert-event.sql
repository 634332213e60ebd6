-- The large objects last: a long value before them would be refused (ORA-24816).
INSERT INTO :"event" (
    event_id, external_id, end_time, name, category, device_host_name,
    source_addresses, source_address_lo, source_address_hi, target_addresses, target_address_lo, target_address_hi,
    source_port, target_port, transport_protocol, application_protocol, base_event_count, long_name, raw_event)
VALUES (:'event_id', :'external_id', :'end_time', :'name', :'category', :'device_host_name',
    :'source_addresses', :'source_address_lo', :'source_address_hi',
    :'target_addresses', :'target_address_lo', :'target_address_hi',
    :'source_port', :'target_port', :'transport_protocol', :'application_protocol', :'base_event_count',
    :'long_name', :'raw_event')
