-- All views are read as of one moment (PostgreSQL 15 and newer; older ones do so anyway). The statements have no values,
-- so that one plan of each will do.
SELECT set_config(name, CASE name WHEN 'plan_cache_mode' THEN 'force_generic_plan' ELSE 'snapshot' END, false)
FROM pg_settings
WHERE name IN ('plan_cache_mode', 'stats_fetch_consistency')
