CREATE TABLE branch (
    branch integer NOT NULL,
    balance bigint NOT NULL,
    filler character(88) NOT NULL
)
