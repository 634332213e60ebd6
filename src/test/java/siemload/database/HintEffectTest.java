package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.Plan.Access.Kind;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Which index a search has to use when it is told to use that of a field. */
class HintEffectTest {
    private static final Criterion SOURCE =
            new Criterion.AddressFigured(List.of(AddressRange.parse("192.0.2.1")), EventSide.SOURCE);
    private static final Criterion PORT = new Criterion.PortUsed(22, EventSide.TARGET);

    @Test
    void anAddressOfASideTakesTheIndexOfAField() {
        assertThat(missed(Kind.FIELD_INDEX, SOURCE)).isEmpty();
        assertThat(missed(Kind.TIME_INDEX, SOURCE)).isPresent();
        assertThat(missed(Kind.TIME_INDEX, SOURCE, PORT)).isPresent();
        assertThat(missed(Kind.TABLE, SOURCE)).isPresent();
    }

    @Test
    void portsAloneMayTakeThatOfTheTimeSinceTheyHaveNoneInSomeIndexSets() {
        assertThat(missed(Kind.FIELD_INDEX, PORT)).isEmpty();
        assertThat(missed(Kind.TIME_INDEX, PORT)).isEmpty();
        assertThat(missed(Kind.TABLE, PORT)).isPresent();
    }

    private static Optional<String> missed(Kind used, Criterion... criteria) {
        Search search =
                new Search(SearchName.MENTAT, Window.ALWAYS, List.of(criteria), Order.NEWEST_FIRST, new Page.Whole());
        List<Plan.Access> accesses = List.of(new Plan.Access(used, "events"));
        return Hint.INDEX.missedBy(search, new Plan("plan", Plan.Format.TEXT, accesses, true, false, Optional.empty()));
    }
}
