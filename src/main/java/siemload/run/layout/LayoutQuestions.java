package siemload.run.layout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import siemload.database.AnsweredRows;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchValues;
import siemload.query.Summary;
import siemload.query.Window;

/**
 * What a layout is asked: every search that siemload brings, with values of several of the events and with some that no event has,
 * in each order, page by page, as a count and summed up. Made once, for all variants of a layout. Immutable.
 */
public final class LayoutQuestions {
    private static final List<Field> FIELDS = List.of(Field.values());
    private static final int EVENTS_ASKED_FOR = 3;
    private static final int PAGE = 7;
    /** So many are not turned round after they were received, but by the server. */
    private static final int LARGE_PAGE = 20_000;

    private static final int CURSOR_ROWS = 100;
    private static final int NETWORK_BITS = 24;
    private static final AddressRange ABSENT_ADDRESS = AddressRange.parse("203.0.113.77");

    private final List<Question> questions = new ArrayList<>();
    private final SearchSession reference;
    /** Each row that the reference has answered, once: it comes in many answers. */
    private final Map<String, AnsweredRows.Line> lines = new HashMap<>();

    private final Window all;
    private final Window part;
    private final Set<Paging> pagings;

    private LayoutQuestions(List<SecurityEvent> events, Set<Paging> pagings, SearchSession reference) {
        List<Instant> times =
                events.stream().map(SecurityEvent::detectTime).sorted().toList();
        this.all = new Window(times.get(0), times.get(times.size() - 1).plus(Duration.ofHours(1)));
        // From one event to another one, so that the first belongs into it and the second does not.
        this.part = new Window(times.get(times.size() / 3), times.get(times.size() * 2 / 3));
        this.pagings = Set.copyOf(pagings);
        this.reference = reference;
    }

    /**
     * Those about these events, at least one.
     *
     * @param pagings how the layout lets users get from page to page
     * @param reference which has the events, and knows the right answers
     */
    public static LayoutQuestions about(List<SecurityEvent> events, Set<Paging> pagings, SearchSession reference) {
        LayoutQuestions questions = new LayoutQuestions(events, pagings, reference);
        List<SearchValues> values = values(events);
        Set<List<Criterion>> asked = new HashSet<>();
        for (SearchDefinition definition : SearchCatalog.builtIn().all()) {
            for (SearchValues some : values) {
                List<Criterion> criteria = definition.criteria(some);
                if (asked.add(criteria)) {
                    questions.ask(definition, criteria, asked.size());
                }
            }
        }
        return questions;
    }

    /** How many there are. */
    public int size() {
        return questions.size();
    }

    /**
     * Asks all of them.
     *
     * @param progress hears how many more answers were looked at
     * @return the first wrong answer; empty where all are right
     */
    Optional<String> firstWrong(SearchSession session, IntConsumer progress) {
        for (Question question : questions) {
            Optional<String> fault = question.fault(session);
            if (fault.isPresent()) {
                return Optional.of(question.search().name() + ": " + fault.get() + "\n  asked for " + question.kind()
                        + ": " + question.search());
            }
            progress.accept(1);
        }
        return Optional.empty();
    }

    /**
     * What a layout is asked.
     *
     * @param kind how it is asked, for people: {@code rows}, {@code a count}
     * @param firstFault asks it, and says what is wrong first with the answer; empty where nothing is
     */
    private record Question(Search search, String kind, Function<SearchSession, Optional<String>> firstFault) {
        Optional<String> fault(SearchSession session) {
            try {
                return firstFault.apply(session);
            } catch (SearchException failed) {
                return Optional.of("the search fails: " + failed.getMessage());
            }
        }
    }

    private void add(Search search, String kind, Function<SearchSession, Optional<String>> firstFault) {
        questions.add(new Question(search, kind, firstFault));
    }

    private void ask(SearchDefinition definition, List<Criterion> criteria, int number) {
        Window window = definition.window().orElseGet(() -> number % 2 == 0 ? part : all);
        Search whole = new Search(definition.name(), window, criteria, Order.NEWEST_FIRST, new Page.Whole());
        for (Order order : Order.values()) {
            rows(whole.with(order));
        }
        rows(whole.with(Window.ALWAYS));
        long right = reference.count(whole);
        add(whole, "a count", session -> {
            long counted = session.count(whole);
            return counted == right ? Optional.empty() : Optional.of("counted " + counted + " instead of " + right);
        });
        for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
            pages(whole.with(order));
        }
        if (!window.isAlways()) {
            Field field = FIELDS.get(number % FIELDS.size());
            sumUp(whole, new Summary.Timeline(field, 20));
            sumUp(whole, new Summary.TopList(field, 5));
        }
    }

    private void sumUp(Search search, Summary summary) {
        List<Summary.Line> right = reference.summarize(search, summary);
        add(search, summary.toString(), session -> firstFault(session.summarize(search, summary), right));
    }

    private static Optional<String> firstFault(List<Summary.Line> lines, List<Summary.Line> right) {
        for (int i = 0; i < Math.max(lines.size(), right.size()); i++) {
            String came = text(lines, i);
            String should = text(right, i);
            if (!came.equals(should)) {
                return Optional.of("line " + (i + 1) + " is " + came + " instead of " + should);
            }
        }
        return Optional.empty();
    }

    private static String text(List<Summary.Line> lines, int place) {
        return place < lines.size() ? lines.get(place).toString() : "not there";
    }

    private AnsweredRows rows(Search search) {
        AnsweredRows right = answer(search);
        add(search, "rows", session -> AnsweredRows.of(session, search).firstFault(right));
        return right;
    }

    private AnsweredRows answer(Search search) {
        return AnsweredRows.of(
                reference, search, row -> lines.computeIfAbsent(row.id(), id -> AnsweredRows.Line.of(row)));
    }

    private void pages(Search whole) {
        AnsweredRows first = rows(whole.with(new Page.Numbered(PAGE, 1)));
        rows(whole.with(new Page.Numbered(PAGE, 2)));
        rows(whole.with(new Page.Numbered(PAGE, 3)));
        rows(whole.with(new Page.Last(PAGE)));
        rows(whole.with(new Page.Last(LARGE_PAGE)));
        if (pagings.contains(Paging.KEYSET) && !first.rows().isEmpty()) {
            rows(whole.with(new Page.After(
                    PAGE, first.rows().get(first.rows().size() - 1).key())));
        }
        if (pagings.contains(Paging.CURSOR)) {
            AnsweredRows right = answer(whole);
            add(
                    whole,
                    "rows by a cursor, " + CURSOR_ROWS + " at a time",
                    session -> byCursor(whole, session).firstFault(right));
        }
    }

    private static AnsweredRows byCursor(Search search, SearchSession session) {
        List<AnsweredRows.Line> rows = new ArrayList<>();
        try (ResultCursor cursor = session.open(search)) {
            long count;
            do {
                count = cursor.next(CURSOR_ROWS, row -> rows.add(AnsweredRows.Line.of(row)));
            } while (count == CURSOR_ROWS);
        }
        return AnsweredRows.of(search, rows);
    }

    private static List<SearchValues> values(List<SecurityEvent> events) {
        List<SearchValues> values = new ArrayList<>();
        for (int i = 0; i < EVENTS_ASKED_FOR; i++) {
            SecurityEvent event = events.get(i * (events.size() - 1) / (EVENTS_ASKED_FOR - 1));
            SecurityEvent other = events.get((i * events.size() / EVENTS_ASKED_FOR + 1) % events.size());
            values.add(values(event, event.sources(), other, event.description()));
            values.add(values(event, event.targets(), other, firstWord(event.description())));
        }
        values.add(new SearchValues(
                List.of(ABSENT_ADDRESS, AddressRange.parse("2001:db8::77")),
                AddressRange.parse("203.0.113.64/26"),
                "Absent",
                "absent.example",
                1,
                "absent",
                "absent"));
        return values;
    }

    private static SearchValues values(SecurityEvent event, List<Endpoint> side, SecurityEvent other, String text) {
        AddressRange address = address(side);
        return new SearchValues(
                List.of(address, address(other.sources()), ABSENT_ADDRESS),
                address.network(NETWORK_BITS),
                event.categories().stream().findFirst().orElse("Absent"),
                event.nodes().stream().map(Node::name).findFirst().orElse("absent.example"),
                Stream.concat(side.stream(), event.targets().stream())
                        .flatMap(end -> end.ports().stream())
                        .findFirst()
                        .orElse(22),
                event.id(),
                text);
    }

    private static AddressRange address(List<Endpoint> side) {
        return side.stream()
                .flatMap(end -> end.addresses().stream())
                .findFirst()
                .orElse(ABSENT_ADDRESS);
    }

    private static String firstWord(String text) {
        return text.split(" ", 2)[0];
    }
}
