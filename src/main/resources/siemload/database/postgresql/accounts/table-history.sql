-- One row and one index entry for each withdrawal.
CREATE TABLE history (
    id bigint NOT NULL PRIMARY KEY,
    account integer NOT NULL,
    teller integer NOT NULL,
    branch integer NOT NULL,
    amount integer NOT NULL,
    at timestamp with time zone NOT NULL,
    filler character(22) NOT NULL
)
