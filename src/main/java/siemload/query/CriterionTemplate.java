package siemload.query;

/** One condition of a search as its file has it. Immutable. */
public sealed interface CriterionTemplate {

    /** The criterion of a search that looks for these values. */
    Criterion with(SearchValues values);

    /** A criterion whose values stand in the file. */
    record Fixed(Criterion criterion) implements CriterionTemplate {
        @Override
        public Criterion with(SearchValues values) {
            return criterion;
        }
    }

    /**
     * A criterion whose value is drawn from what the data set holds.
     *
     * @param side where it is looked for; either side for what has none
     */
    record Drawn(CriterionKey key, EventSide side) implements CriterionTemplate {
        @Override
        public Criterion with(SearchValues values) {
            return key.drawn(values, side);
        }
    }
}
