package siemload.run.answers;

/** Whether an event that meets the conditions of a search belongs into its answer. */
enum Visibility {
    /** The event is of the data set, which was there before the run. */
    STORED,
    /** The event is of the data set, and was removed while the search ran, with all others of its day. */
    LEAVING,
    /** It was fed, and acknowledged before the search started. */
    MUST,
    /** It was on its way while the search ran. */
    MAY,
    /** It was sent after the search had ended, or removed before it started. */
    NEVER;

    /** Whether the answer is wrong without it. */
    boolean isMust() {
        return this == STORED || this == MUST;
    }
}
