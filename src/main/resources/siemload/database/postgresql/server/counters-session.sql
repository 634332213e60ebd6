-- All views are read as of one moment (PostgreSQL 15 and newer; older ones do so anyway). The statements have no values,
-- so that one plan of each will do. The name tells those who only count from those whose work is counted.
SELECT set_config(
    name,
    CASE name
        WHEN 'plan_cache_mode' THEN 'force_generic_plan'
        WHEN 'application_name' THEN 'siemload counters'
        ELSE 'snapshot'
    END,
    false)
FROM pg_settings
WHERE name IN ('plan_cache_mode', 'application_name', 'stats_fetch_consistency')
