package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.SearchSession;
import siemload.database.contract.RandomEvents;
import siemload.dataset.SeededRandom;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.run.answers.GivenAnswer.Row;

/**
 * Random events, random searches, and answers that are right or spoilt. The reference says which are right: those that
 * it gives for the events that must be seen and some of those that may be. An answer is refused if and only if it is
 * none of them.
 */
class AnswerPropertyTest {
    private static final int SEEDS = Integer.getInteger("seeds", 5);
    private static final int SEARCHES = 40;
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final Instant UNTIL = START.plus(Duration.ofMinutes(12));
    private static final Duration FED = Duration.ofMinutes(12);
    private static final long SEARCH_START = 100;
    private static final long SEARCH_END = 200;

    static Stream<Integer> seeds() {
        return IntStream.rangeClosed(1, SEEDS).boxed();
    }

    /** Everything that one seed makes. */
    private static final class World {
        private final SeededRandom random;
        private final RandomEvents events;
        private final List<SecurityEvent> stored;
        private final List<SecurityEvent> must;
        private final List<SecurityEvent> may;
        private final List<SecurityEvent> never;
        private final List<FeedLedger.Batch> fed = new ArrayList<>();
        /** One reference for each part of the events that may be seen; the first one has none of them. */
        private final List<SearchSession> references = new ArrayList<>();

        private final SearchSession everything;
        private final SearchSession stale;

        World(int seed) {
            random = new SeededRandom(seed);
            events = new RandomEvents(seed);
            stored = some(25, "stored", 0);
            must = some(4, "must", 1);
            may = some(random.nextInt(4), "may", 1);
            never = some(2, "never", 1);
            fed.add(GivenAnswer.fed(must, 10, 99));
            may.forEach(event -> fed.add(onItsWay(event)));
            fed.add(GivenAnswer.fed(never, 200, 210));
            for (int part = 0; part < 1 << may.size(); part++) {
                int chosen = part;
                references.add(session(
                        stored,
                        must,
                        IntStream.range(0, may.size())
                                .filter(bit -> (chosen >> bit & 1) == 1)
                                .mapToObj(may::get)
                                .toList()));
            }
            everything = session(stored, must, may, never);
            stale = session(stored, must.subList(1, must.size()));
        }

        private FeedLedger.Batch onItsWay(SecurityEvent event) {
            return switch (random.nextInt(3)) {
                case 0 -> GivenAnswer.unanswered(List.of(event), 10);
                case 1 -> GivenAnswer.fed(List.of(event), 99, 100);
                default -> GivenAnswer.fed(List.of(event), 199, 300);
            };
        }

        private List<SecurityEvent> some(int count, String name, int later) {
            return IntStream.range(0, count)
                    .mapToObj(i -> shifted(events.event(name + "-" + i), FED.multipliedBy(later)))
                    .toList();
        }

        Search search() {
            Search search = events.search();
            if (search.window().isAlways() || random.nextInt(2) == 0) {
                return search;
            }
            Window wide =
                    new Window(search.window().from(), search.window().until().plus(FED));
            return new Search(search.name(), wide, search.criteria(), search.order(), search.page());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void rowsAreAcceptedIfAndOnlyIfTheyAreThoseOfTheReference(int seed) {
        World world = new World(seed);
        for (int i = 0; i < SEARCHES; i++) {
            Search search = world.search();
            List<List<Row>> right = world.references.stream()
                    .map(reference -> rows(reference, search))
                    .toList();
            for (List<Row> answer : spoilt(world, search, right)) {
                boolean isRight = right.stream().anyMatch(one -> equal(search, one, answer));
                assertThat(faults(world, GivenAnswer.ofRows(search, answer)))
                        .as("seed %d, search %d: %s%nanswer %s%nright %s", seed, i, search, answer, right)
                        .matches(faults -> faults.isEmpty() == isRight);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void countsAreAcceptedIfAndOnlyIfTheyAreThoseOfTheReference(int seed) {
        World world = new World(seed);
        for (int i = 0; i < SEARCHES; i++) {
            Search search = world.search();
            List<Long> right = world.references.stream()
                    .map(reference -> reference.count(search))
                    .toList();
            for (long count = Collections.min(right) - 2; count <= Collections.max(right) + 2; count++) {
                assertThat(faults(world, GivenAnswer.ofCount(search, count)).isEmpty())
                        .as("seed %d, search %d: %s, %d of %s", seed, i, search, count, right)
                        .isEqualTo(right.contains(count));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void summariesOfTheReferenceAreAcceptedAndSpoiltOnesAreNot(int seed) {
        World world = new World(seed);
        Window window = new Window(START, UNTIL.plus(FED));
        for (SearchName name : summaries()) {
            List<Criterion> criteria = world.random.nextInt(2) == 0
                    ? List.of()
                    : world.events.search().criteria();
            Search search = new Search(name, window, criteria, Order.NEWEST_FIRST, new Page.Whole());
            Summary summary = SearchCatalog.builtIn().get(name).summary().orElseThrow();
            for (SearchSession reference : world.references) {
                List<Summary.Line> lines = reference.summarize(search, summary);
                assertThat(faults(world, GivenAnswer.ofLines(search, lines))).isEmpty();
            }
            List<Summary.Line> settled = world.references.get(0).summarize(search, summary);
            if (settled.isEmpty()) {
                continue;
            }
            assertThat(faults(world, GivenAnswer.ofLines(search, settled.subList(1, settled.size()))))
                    .isNotEmpty();
            List<Summary.Line> tooFew = new ArrayList<>(settled);
            Summary.Line last = tooFew.remove(tooFew.size() - 1);
            tooFew.add(new Summary.Line(last.from(), last.value(), last.events() - 1));
            assertThat(faults(world, GivenAnswer.ofLines(search, tooFew))).isNotEmpty();
            List<Summary.Line> twice = new ArrayList<>(settled);
            twice.add(last);
            assertThat(faults(world, GivenAnswer.ofLines(search, twice)))
                    .anyMatch(fault -> fault.startsWith("two lines for "));
            List<Summary.Line> turned = new ArrayList<>(settled);
            Collections.reverse(turned);
            assertThat(faults(world, GivenAnswer.ofLines(search, turned)).isEmpty())
                    .as("%s of lines in another order", search)
                    .isEqualTo(turned.size() == 1);
        }
    }

    private static List<SearchName> summaries() {
        return SearchName.builtIn().stream()
                .filter(name -> SearchCatalog.builtIn().get(name).summary().isPresent())
                .toList();
    }

    private static List<List<Row>> spoilt(World world, Search search, List<List<Row>> right) {
        SeededRandom random = world.random;
        List<List<Row>> answers = new ArrayList<>(right);
        List<Row> one = right.get(random.nextInt(right.size()));
        answers.add(rows(world.everything, search));
        answers.add(rows(world.stale, search));
        answers.add(rows(world.references.get(0), search.with(otherPage(search.page()))));
        answers.add(rows(world.references.get(0), withoutEnd(search)));
        if (!one.isEmpty()) {
            int at = random.nextInt(one.size());
            answers.add(changed(one, rows -> rows.remove(at)));
            answers.add(changed(one, rows -> rows.add(at, rows.get(at))));
            answers.add(changed(one, rows -> Collections.swap(rows, at, random.nextInt(rows.size()))));
            answers.add(changed(one, rows -> rows.set(at, new Row(rows.get(at).detectTime(), "nobody"))));
            answers.add(changed(
                    one,
                    rows -> rows.set(
                            at,
                            new Row(
                                    rows.get(at).detectTime().plusNanos(1_000),
                                    rows.get(at).id()))));
            SecurityEvent stored = world.stored.get(random.nextInt(world.stored.size()));
            answers.add(changed(one, rows -> rows.add(at, new Row(stored.detectTime(), stored.id()))));
        }
        return answers;
    }

    private static Search withoutEnd(Search search) {
        Window open = search.window().isAlways()
                ? Window.ALWAYS
                : new Window(search.window().from(), Instant.MAX);
        return new Search(search.name(), open, search.criteria(), search.order(), search.page());
    }

    private static Page otherPage(Page page) {
        if (page instanceof Page.Numbered numbered) {
            return new Page.Numbered(numbered.size(), numbered.number() + 1);
        } else if (page instanceof Page.Last last) {
            return new Page.Last(last.size() + 1);
        } else if (page instanceof Page.After after) {
            return new Page.Numbered(after.size(), 1);
        }
        return page;
    }

    private static List<Row> changed(List<Row> rows, java.util.function.Consumer<List<Row>> change) {
        List<Row> copy = new ArrayList<>(rows);
        change.accept(copy);
        return copy;
    }

    /** Rows without an order are compared as if they had one. */
    private static boolean equal(Search search, List<Row> one, List<Row> other) {
        if (search.order() != Order.UNSORTED) {
            return one.equals(other);
        }
        Comparator<Row> any = Comparator.comparing(Row::id).thenComparing(Row::detectTime);
        return one.stream()
                .sorted(any)
                .toList()
                .equals(other.stream().sorted(any).toList());
    }

    private static List<String> faults(World world, GivenAnswer answer) {
        return answer.faults(world.stored, world.fed::forEach, Optional.empty(), UNTIL, SEARCH_START, SEARCH_END);
    }

    private static List<Row> rows(SearchSession session, Search search) {
        List<Row> rows = new ArrayList<>();
        session.search(search, row -> rows.add(new Row(row.detectTime(), row.id())));
        return rows;
    }

    private static SecurityEvent shifted(SecurityEvent event, Duration by) {
        return new SecurityEvent(
                event.id(),
                event.detectTime().plus(by),
                event.categories(),
                event.description(),
                event.sources(),
                event.targets(),
                event.nodes(),
                event.other());
    }

    @SafeVarargs
    private static SearchSession session(List<SecurityEvent>... parts) {
        List<SecurityEvent> all = new ArrayList<>();
        for (List<SecurityEvent> part : parts) {
            all.addAll(part);
        }
        return GivenAnswer.reference(all);
    }
}
