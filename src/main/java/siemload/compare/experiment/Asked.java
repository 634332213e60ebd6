package siemload.compare.experiment;

/** What users of runs asked: searches, which find events, or statements of a scenario's own, which give rows. */
public enum Asked {
    SEARCHES("search", "searches", "event"),
    STATEMENTS("statement", "statements", "row");

    private final String one;
    private final String many;
    private final String found;

    Asked(String one, String many, String found) {
        this.one = one;
        this.many = many;
        this.found = found;
    }

    /** {@code search}. */
    public String one() {
        return one;
    }

    /** {@code searches}. */
    public String many() {
        return many;
    }

    /** What it gives: {@code event}. */
    public String found() {
        return found;
    }
}
