soc.firewall_log f JOIN soc.sensor s ON s.id = f.sensor_id
