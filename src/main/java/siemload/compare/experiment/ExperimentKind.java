package siemload.compare.experiment;

/** What the report of an experiment shows first. */
public enum ExperimentKind {
    /** All variants side by side. */
    COMPARISON,
    /** Every search and variant as a ratio to its best. */
    REGRET,
    /** What each variant costs those who write against what it gives those who read. */
    PARETO,
    /** Time against the depth of a page. */
    DEPTH,
    /** A value against a number: growth, and what is left of it when users or data become many. */
    SCALING,
    /** Bars in the form of the slides of the source study. */
    SLIDES
}
