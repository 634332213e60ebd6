-- What the days do not reach.
INSERT /*+ APPEND */ INTO :"event" (
    event_id, external_id, end_time, name, category, device_host_name,
    source_addresses, source_address_lo, source_address_hi, target_addresses, target_address_lo, target_address_hi,
    source_port, target_port, transport_protocol, application_protocol, base_event_count, long_name, raw_event,
    manager_receipt_time)
SELECT event_id, external_id, end_time, name, category, device_host_name,
    source_addresses, source_address_lo, source_address_hi, target_addresses, target_address_lo, target_address_hi,
    source_port, target_port, transport_protocol, application_protocol, base_event_count, long_name, raw_event,
    manager_receipt_time
FROM :"kept_event"
WHERE end_time >= TIMESTAMP '4000-01-01 00:00:00'
