package siemload.run.answers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.event.SecurityEvent;

/** A whole result: what was there before the run in one sum, what was fed row by row. */
final class WholeExpectation extends Expectation {
    private final Answer.WholeResult answer;
    private final UnorderedDigest stored = new UnorderedDigest();
    /** The same with the events of a day that was removed meanwhile, which is there as a whole or not at all. */
    private final UnorderedDigest beforeRemoval = new UnorderedDigest();
    /** The fed rows that no event was offered for yet. */
    private final Map<String, Long> unexplained = new HashMap<>();

    private final Ids twice = new Ids();
    private final Ids missing = new Ids();

    WholeExpectation(SampledAnswer sample, Answer.WholeResult answer) {
        super(sample);
        this.answer = answer;
        for (int row = 0; row < answer.fed().size(); row++) {
            String id = answer.fed().id(row);
            if (unexplained.put(id, answer.fed().micros(row)) != null) {
                twice.add(id);
            }
        }
    }

    @Override
    void take(SecurityEvent event, long micros, Visibility visibility) {
        if (visibility == Visibility.STORED) {
            stored.add(micros, event.id());
        }
        if (visibility == Visibility.STORED || visibility == Visibility.LEAVING) {
            beforeRemoval.add(micros, event.id());
            return;
        }
        boolean isThere = unexplained.remove(event.id(), micros);
        if (!isThere && visibility.isMust()) {
            missing.add(event.id());
        }
    }

    @Override
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!answer.misplaced().isEmpty()) {
            faults.add(
                    "row " + answer.misplaced() + " does not come after the row before it in the order of the search");
        }
        long rows = answer.stored().count() + answer.fed().size();
        if (sample().reportedRows() != rows) {
            faults.add(rows + " rows came, but " + sample().reportedRows() + " were reported");
        }
        if (answer.stored().sameAs(beforeRemoval)) {
            // The removal came later, if there was one.
        } else if (answer.stored().count() != stored.count()) {
            faults.add(answer.stored().count() + " rows of the data set came, but the search finds " + stored.count());
        } else if (!answer.stored().sameAs(stored)) {
            faults.add(stored.count() + " rows of the data set came, but they are not the ones that the search finds");
        }
        if (!twice.isEmpty()) {
            faults.add("fed events that came twice: " + twice);
        }
        if (!missing.isEmpty()) {
            faults.add("fed events that are missing: " + missing);
        }
        if (!unexplained.isEmpty()) {
            Ids strangers = new Ids();
            unexplained.keySet().stream().sorted().forEach(strangers::add);
            faults.add("rows that the search does not find, or not with this detect time: " + strangers);
        }
        return faults;
    }
}
