package siemload.run.answers;

/** Whether an event that meets the conditions of a search belongs into its answer. */
enum Visibility {
    /** The event is of the data set, which was there before the run. */
    STORED,
    /** It was fed, and acknowledged before the search started. */
    MUST,
    /** It was on its way while the search ran. */
    MAY,
    /** It was sent after the search had ended. */
    NEVER;

    /** Whether the answer is wrong without it. */
    boolean isMust() {
        return this == STORED || this == MUST;
    }
}
