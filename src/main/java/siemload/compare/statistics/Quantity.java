package siemload.compare.statistics;

/** What kind of figure is compared: which side of 1 is the better one, and in which words. */
public enum Quantity {
    /** Response times and the like: less is better, "41x faster", "3.2 % slower". */
    TIME,
    /** Bytes, processor time, blocks and the like: less is better, "1.8x as much", "3.2 % less". */
    AMOUNT,
    /** Events a second, searches a second: more is better, "1.8x as many", "3.2 % fewer". */
    RATE;

    /** Whether a ratio above 1 is a gain. */
    public boolean moreIsBetter() {
        return this == RATE;
    }
}
