RAWTOHEX(e.source_address_lo)
