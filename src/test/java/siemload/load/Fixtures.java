package siemload.load;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import siemload.dataset.Popularity;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.run.answers.EventList;
import siemload.scenario.AnalystGroup;
import siemload.scenario.Distribution;
import siemload.scenario.LoadModel;
import siemload.scenario.ResultReading;
import siemload.scenario.SearchDraw;
import siemload.scenario.Weights;
import siemload.scenario.WindowLength;

/** A handful of events and an analyst who searches them. */
final class Fixtures {
    static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");
    static final SecurityEvent SCAN = event("scan", "Recon.Scanning", "192.0.2.1", 22);
    static final SecurityEvent LOGIN = event("login", "Attempt.Login", "192.0.2.2", 23);

    private static final SearchDraw DRAW = new SearchDraw(pools(), new EventList(List.of(SCAN, LOGIN)));

    private Fixtures() {}

    static Analyst analyst(Paging paging, long seed) {
        return analyst(group(0.3, 0.3), paging, seed);
    }

    /** One who has just come. */
    static Analyst analyst(AnalystGroup group, Paging paging, long seed) {
        UserWaits waits = new UserWaits(group, seed);
        return analyst(waits, waits.arriving(), paging);
    }

    static Analyst analyst(UserWaits waits, UserWaits.Investigation start, Paging paging) {
        DrawnSearches searches = new DrawnSearches(waits.group(), draw(), new DataClock(0, NOON));
        return new Analyst(waits, start, paging, searches, cursors());
    }

    static AnalystGroup group(double deeperRatio, double followUpRatio) {
        return group(
                new Distribution.Exponential(Duration.ofSeconds(4)),
                new Distribution.Exponential(Duration.ofSeconds(30)),
                deeperRatio,
                followUpRatio);
    }

    /** @param thinkTime within investigations of 4 to 11 actions */
    static AnalystGroup group(Distribution thinkTime, Distribution pause, double deeperRatio, double followUpRatio) {
        return new AnalystGroup(
                "tier-1",
                new LoadModel.Closed(1),
                new AnalystGroup.Investigation(
                        Optional.of(new AnalystGroup.Investigation.Actions(4, 11)),
                        thinkTime,
                        Optional.of(pause),
                        Duration.ofSeconds(10),
                        7),
                new AnalystGroup.Searched(
                        new Weights<>(Map.of(WindowLength.last(Duration.ofDays(7)), 1.0)),
                        new Weights<>(Map.of(SearchName.MENTAT, 1.0)),
                        new Weights<>(Map.of(Popularity.HOT, 1.0)),
                        new Weights<>(Map.of(Order.NEWEST_FIRST, 1.0)),
                        10,
                        new ResultReading.Paged(100, deeperRatio, 50, deeperRatio / 6),
                        followUpRatio));
    }

    static SearchDraw draw() {
        return DRAW;
    }

    static ValuePools pools() {
        ValuePoolsBuilder builder = new ValuePoolsBuilder();
        builder.add(List.of(SCAN, LOGIN));
        return builder.build();
    }

    private static SecurityEvent event(String id, String category, String source, int port) {
        Endpoint side =
                new Endpoint(List.of(), List.of(AddressRange.parse(source)), List.of(port), List.of("tcp"), Map.of());
        Node node = new Node("cz.example.detector", List.of(), List.of(), Map.of());
        return new SecurityEvent(
                id, NOON.minusSeconds(1), List.of(category), "", List.of(side), List.of(), List.of(node), Map.of());
    }

    /** Cursors that nobody reads. */
    static UserCursors cursors() {
        return new UserCursors(
                () -> {
                    throw new IllegalStateException("no server here");
                },
                LongUnaryOperator.identity());
    }
}
