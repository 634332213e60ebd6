package siemload.database;

/**
 * What a customer takes: three balances become less, and the history gets a row. Immutable.
 *
 * @param id of the row in the history, another one for each withdrawal of a run
 * @param amount in cents, 1 or more
 */
public record Withdrawal(long id, AccountRows rows, int amount) {}
