package siemload.results;

/**
 * By how much a figure changed within a phase, as a ratio to what it was: 0.2 is a rise by a fifth, -0.2 a fall. Immutable.
 *
 * @param lowRatio the least change that goes with what was seen, by the level of the test
 * @param highRatio the largest one
 * @param visibleRatio the change that is found in four of five runs like this one, above 0
 */
public record Change(double changeRatio, double lowRatio, double highRatio, double visibleRatio) {
    /** Stands where no change was looked for. */
    static final Change NONE = new Change(0, 0, 0, 0);

    /** Whether it is more than chance gives. */
    public boolean found() {
        return lowRatio > 0 || highRatio < 0;
    }
}
