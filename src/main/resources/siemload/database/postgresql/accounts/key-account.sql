ALTER TABLE account ADD PRIMARY KEY (account)
