package siemload.dataset;

/** How often a searched value occurs in a data set. {@link ValuePools} defines the classes. */
public enum Popularity {
    HOT,
    TYPICAL,
    RARE,
    /** A value that does not occur in the data set. */
    ABSENT
}
