package siemload.results;

/**
 * How long fed events took to be found: from the acknowledgement of a sampled event to the answer of the first probe
 * search that returned it. Immutable.
 *
 * @param sampled events that were looked for
 * @param seen those that a probe returned before the run ended
 * @param unseen those that none did although they were acknowledged
 * @param visibleMicros of those seen; never less than the probe search itself takes
 */
public record VisibilityResult(long sampled, long seen, long unseen, MicrosSummary visibleMicros) {

    /** The result of a run without probes. */
    public static final VisibilityResult NONE = new VisibilityResult(0, 0, 0, MicrosSummary.NONE);
}
