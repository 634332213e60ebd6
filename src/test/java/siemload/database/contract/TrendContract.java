package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.TargetPlugin.Offer;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;

/** Trends, where a target offers them: the database's own lines are those of the reference, and the newest ones count. */
public interface TrendContract {
    /** Four days and a bit, with events that lie on the bounds of hours. */
    Window HOURS = new Window(Instant.parse("2016-06-06T00:00:00Z"), Instant.parse("2016-06-10T00:30:00.123457Z"));

    ContractSubject subject();

    @Test
    default void whoDoesNotOfferTrendsRefusesThem() {
        if (subject().offers(Offer.TRENDS)) {
            return;
        }
        try (Store store = subject().copy();
                SearchSession session = store.openSession()) {
            assertThatThrownBy(() -> store(session, Field.CATEGORY, HOURS, "other"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    default void whatIsStoredIsWhatTheReferenceSumsUp() {
        assumeThat(subject().offers(Offer.TRENDS)).isTrue();
        try (Store copy = subject().copy();
                SearchSession session = copy.openSession();
                SearchSession reference =
                        ContractSubject.reference(ContractEvents.ALL).openSession()) {
            copy.createTrends();
            for (Field field : Field.values()) {
                store(session, field, HOURS, "by-" + field.label());

                assertThat(copy.trendLines("by-" + field.label(), field))
                        .as("by %s", field)
                        .isNotEmpty()
                        .containsExactlyInAnyOrderElementsOf(
                                reference.summarize(search(field, HOURS), new Summary.Hours(field)));
            }
        }
    }

    @Test
    default void linesOfTheSameHourAreReplacedAndAllOthersStay() {
        assumeThat(subject().offers(Offer.TRENDS)).isTrue();
        Window some = new Window(Instant.parse("2016-06-06T00:00:00Z"), Instant.parse("2016-06-06T01:00:00Z"));
        try (Store copy = subject().copy();
                SearchSession session = copy.openSession()) {
            copy.createTrends();
            store(session, Field.CATEGORY, HOURS, "whole");
            store(session, Field.CATEGORY, HOURS, "again");
            List<Line> before = copy.trendLines("whole", Field.CATEGORY);
            try (EventSink sink = copy.openSink()) {
                long unused = sink.write(ContractEvents.random(1_000).subList(500, 1_000));
            }
            store(session, Field.CATEGORY, some, "whole");
            store(session, Field.CATEGORY, HOURS, "again");

            List<Line> now = session.summarize(search(Field.CATEGORY, HOURS), new Summary.Hours(Field.CATEGORY));
            assertThat(now).isNotEqualTo(before);
            assertThat(copy.trendLines("again", Field.CATEGORY)).containsExactlyInAnyOrderElementsOf(now);
            assertThat(copy.trendLines("whole", Field.CATEGORY))
                    .filteredOn(line -> some.contains(line.from()))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(now.stream()
                            .filter(line -> some.contains(line.from()))
                            .toList());
            assertThat(copy.trendLines("whole", Field.CATEGORY))
                    .filteredOn(line -> !some.contains(line.from()))
                    .containsExactlyInAnyOrderElementsOf(before.stream()
                            .filter(line -> !some.contains(line.from()))
                            .toList());
        }
    }

    private static void store(SearchSession session, Field field, Window window, String trend) {
        session.store(search(field, window), new Summary.Hours(field), trend);
    }

    private static Search search(Field field, Window window) {
        return new Search(SearchCatalog.trend(field), window, List.of(), Order.NEWEST_FIRST, new Page.Whole());
    }
}
