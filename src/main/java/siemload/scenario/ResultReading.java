package siemload.scenario;

/** How users read a result. Immutable. */
public sealed interface ResultReading {

    /** From the first row to the last, as exports and reports do. */
    record Whole() implements ResultReading {}

    /**
     * Page by page.
     *
     * @param size rows a page, 1 to 100,000
     * @param deeperRatio the chance that the next action is the next page, 0 to 1
     * @param maximum the deepest page number reached that way
     * @param lastPageRatio the chance that the next action is the last page, found by an exact count, 0 to 1
     */
    record Paged(int size, double deeperRatio, int maximum, double lastPageRatio) implements ResultReading {}
}
