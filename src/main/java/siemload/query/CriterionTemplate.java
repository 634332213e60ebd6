package siemload.query;

import java.util.List;
import java.util.stream.Stream;

/** One condition of a search as its file has it: one whose values stand there, or one with drawn values. Immutable. */
public sealed interface CriterionTemplate permits Criterion, CriterionTemplate.AnyOf, CriterionTemplate.Drawn {

    /** The criterion of a search that looks for these values. */
    Criterion with(SearchValues values);

    /** What of it is drawn, wherever it stands. */
    default Stream<Drawn> drawn() {
        if (this instanceof AnyOf anyOf) {
            return anyOf.groups().stream().flatMap(List::stream).flatMap(CriterionTemplate::drawn);
        }
        return this instanceof Drawn drawn ? Stream.of(drawn) : Stream.empty();
    }

    /** One of several groups of criteria has to be met. */
    record AnyOf(List<List<CriterionTemplate>> groups) implements CriterionTemplate {
        public AnyOf {
            groups = groups.stream().map(List::copyOf).toList();
        }

        @Override
        public Criterion with(SearchValues values) {
            return new Criterion.AnyOf(groups.stream()
                    .map(group -> group.stream()
                            .map(template -> template.with(values))
                            .toList())
                    .toList());
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
