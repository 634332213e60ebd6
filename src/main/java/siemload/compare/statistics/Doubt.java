package siemload.compare.statistics;

/** Why a decision is UNCLEAR. */
enum Doubt {
    /** However clear the difference is, it cannot be decided among so many comparisons. */
    TOO_FEW_PAIRS,
    /** There is a difference for certain, but perhaps a smaller one than what matters. */
    PERHAPS_TOO_SMALL,
    /** What was seen matters, but may be noise. */
    PERHAPS_NOISE,
    /** No difference was seen; one that matters may have been missed. */
    NOT_SEEN;

    /** Why a decision is UNCLEAR. */
    static Doubt of(Decision undecided) {
        if (undecided.pairs() < Decision.leastPairs(undecided.comparisons())) {
            return TOO_FEW_PAIRS;
        }
        if (undecided.differs()) {
            return PERHAPS_TOO_SMALL;
        }
        double factor = 1 + undecided.practicalDelta();
        double estimate = undecided.ratio().estimate();
        return estimate >= factor || estimate <= 1 / factor ? PERHAPS_NOISE : NOT_SEEN;
    }
}
