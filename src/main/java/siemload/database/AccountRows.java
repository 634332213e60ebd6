package siemload.database;

/** The three rows that one visit of a customer is about, by their numbers. Immutable. */
public record AccountRows(long account, long teller, long branch) {}
