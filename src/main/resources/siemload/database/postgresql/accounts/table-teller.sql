CREATE TABLE teller (
    teller integer NOT NULL,
    branch integer NOT NULL,
    balance bigint NOT NULL,
    filler character(84) NOT NULL
)
