-- About as wide as in the usual banking benchmarks: 100 bytes and more a row.
CREATE TABLE account (
    account integer NOT NULL,
    branch integer NOT NULL,
    balance bigint NOT NULL,
    filler character(84) NOT NULL
)
