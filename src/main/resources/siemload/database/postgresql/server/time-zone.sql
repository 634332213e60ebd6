-- In place of Java's, which the driver asks for.
SELECT set_config('TimeZone', :'zone', false)
