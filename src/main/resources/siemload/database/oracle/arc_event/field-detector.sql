NVL(l.text, e.device_host_name)
