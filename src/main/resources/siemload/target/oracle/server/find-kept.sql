SELECT prefix FROM siemload_tables WHERE purpose = 'kept' AND fingerprint = :'fingerprint' ORDER BY created DESC
