COMMENT ON DATABASE :"database" IS :label
