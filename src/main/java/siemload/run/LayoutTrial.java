package siemload.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Sha256;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.DatasetLoad;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.run.Bench.Opening;
import siemload.run.RunHost.ProgressBar;
import siemload.scenario.DrawRule;
import siemload.scenario.SearchDraw;

/**
 * Loads some events of a data set into the tables of a layout of one's own, feeds others, and asks for them with each index set and
 * each hint that the layout has: every search that siemload brings, with frequent and rare values of the events and with some that no
 * event has, in each order, page by page, as a count and summed up. Used by one thread.
 */
public final class LayoutTrial {
    /** Taken from all over the data set. */
    private static final int EVENTS = 1_200;

    private static final int FED = 200;
    private static final int BATCH = 1_000;
    private static final String UNKNOWN_ID = "no event has this id";
    private static final List<Field> FIELDS = List.of(Field.values());
    /** Of values of each popularity, for each search. */
    private static final int DRAWS = 2;

    private static final int LIST_LENGTH = 3;
    private static final int PAGE = 7;
    /** So many are not turned round after they were received, but by the server. */
    private static final int LARGE_PAGE = 20_000;

    private static final int CURSOR_ROWS = 100;

    private final RunHost host;
    private final RunPlan plan;
    private final Resources resources;
    private final List<SecurityEvent> events;
    private final List<SecurityEvent> loaded;
    private final List<SecurityEvent> fed;
    /** The questions are made once, for all variants. */
    private final List<Question> questions = new ArrayList<>();
    /** Each row that the reference has answered, once: it comes in many answers. */
    private final Map<String, Row> known = new HashMap<>();

    private LayoutTrial(RunHost host, RunPlan plan, Resources resources) {
        this.host = host;
        this.plan = plan;
        this.resources = resources;
        this.events = some(plan.source());
        int last = Math.max(1, events.size() - FED);
        this.loaded = events.subList(0, last);
        this.fed = events.subList(last, events.size());
    }

    /**
     * Tries the layout that the settings name.
     *
     * @return {@link ExitCode#OK} if all answers are right, {@link ExitCode#MISSED} if one is not: it is told then
     * @throws ConfigException if the layout is no folder, or something is wrong with its files
     * @throws siemload.database.TargetException if the server cannot be had, or does not take the tables
     */
    public static ExitCode run(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            LayoutFolder layout = plan.variant()
                    .ownLayout()
                    .orElseThrow(() -> new ConfigException(
                            plan.settings().origin(Property.LAYOUT),
                            "'" + plan.variant().layout()
                                    + "' is a layout of siemload's (needed: the folder of one of your own)"));
            if (plan.asksExisting()) {
                throw new ConfigException(
                        plan.settings().origin(Property.DATA),
                        "nothing is loaded beside data that are there already, so that nobody knows the right answers"
                                + " (a run holds them against each other: ./siemload run)");
            }
            return new LayoutTrial(host, plan, resources).run(layout);
        }
    }

    private ExitCode run(LayoutFolder layout) {
        host.status("asking the reference");
        askReference();
        ProvidedServer server = new Opening(host, plan, resources).server();
        host.status("");
        List<Variant> variants = tried();
        for (Variant variant : variants) {
            String label = "with indexes " + variant.indexes().label() + " and hint "
                    + variant.hint().label();
            Optional<String> wrong = fault(variant, label, server, variant.equals(variants.get(0)));
            if (wrong.isPresent()) {
                host.line("WRONG " + label + ": " + wrong.get());
                return ExitCode.MISSED;
            }
            host.line("right " + label);
        }
        host.line(String.format(
                Locale.ROOT,
                "%s: %,d answers of %s are those of the reference, about %,d loaded and %,d fed events of %s",
                layout.label(),
                questions.size() * variants.size(),
                variants.size() == 1 ? "1 variant" : variants.size() + " variants",
                loaded.size(),
                fed.size(),
                plan.source().name()));
        return ExitCode.OK;
    }

    /** Each index set without a hint, and each hint with the first index set that it goes together with. */
    private List<Variant> tried() {
        Abilities abilities = plan.choice().abilities();
        List<Variant> tried = new ArrayList<>();
        for (IndexSet indexes : abilities.indexSets()) {
            tried.add(plan.variant().with(indexes, Hint.NONE));
        }
        for (Hint hint : abilities.hints()) {
            abilities.indexSets().stream()
                    .map(indexes -> plan.variant().with(indexes, hint))
                    .filter(variant -> hint != Hint.NONE
                            && plan.choice().plugin().refusal(variant).isEmpty())
                    .findFirst()
                    .ifPresent(tried::add);
        }
        return tried;
    }

    /** @param isFirst whether a day is removed, too: no index and no hint makes a difference to that */
    private Optional<String> fault(Variant variant, String label, ProvidedServer server, boolean isFirst) {
        RunPlan tried =
                new RunPlan(plan.settings(), plan.resolved(), plan.choice().with(variant), plan.source());
        try (Target target =
                plan.choice().plugin().connect(server.address(), Opening.options(tried, RunPlan.OTHER_CONNECTIONS))) {
            DatasetKey key = key(variant, target.version());
            if (isFirst) {
                new ForeignServerCheck(host, tried)
                        .take(target, key, server.address().url());
            }
            target.discard(key);
            try {
                load(target, key, loaded);
                try (Store store = target.copy(key, "check-layout")) {
                    store.makeRoom(times(fed));
                    return feed(store)
                            .or(() -> ask(store, label))
                            .or(() -> isFirst ? removeDay(store) : Optional.empty());
                }
            } finally {
                target.discard(key);
            }
        }
    }

    /** Nobody else uses what is loaded for a check: neither another layout's nor a run's. */
    private DatasetKey key(Variant variant, String serverVersion) {
        String label = String.join(
                ", ",
                "check-layout",
                variant.layout(),
                variant.indexes().label(),
                variant.hint().label(),
                plan.choice().plugin().id() + " " + serverVersion,
                String.valueOf(ProcessHandle.current().pid()));
        return new DatasetKey(Sha256.fingerprint(label + plan.source().fingerprint()), label, loaded.size());
    }

    private static void load(Target target, DatasetKey key, List<SecurityEvent> some) {
        try (DatasetLoad load = target.load(key)) {
            load.write(some);
            load.finish(step -> {});
        }
    }

    /** As the feeder does, the first half of them twice, as it does when it does not know whether they were stored. */
    private Optional<String> feed(Store store) {
        try (EventSink sink = store.openSink()) {
            List<SecurityEvent> half = fed.subList(0, fed.size() / 2);
            sink.write(half);
            sink.write(half);
            sink.write(fed.subList(fed.size() / 2, fed.size()));
        } catch (SearchException failed) {
            return Optional.of("feeding fails: " + failed.getMessage());
        }
        List<String> ids = ids(fed.stream());
        ids.add(UNKNOWN_ID);
        Store.Presence presence = store.presenceOf(ids);
        if (presence.found() != fed.size() || presence.duplicated() != 0) {
            return Optional.of("of " + fed.size() + " fed events and an id that none has, the block presence finds "
                    + presence.found() + ", " + presence.duplicated()
                    + " of them more than once (right: all events, each once)");
        }
        return counted(store, events.size());
    }

    private static Optional<String> counted(Store store, long right) {
        long counted = store.events();
        return counted == right
                ? Optional.empty()
                : Optional.of("counting all events gives " + counted + " instead of " + right);
    }

    private Optional<String> ask(Store store, String label) {
        try (SearchSession session = store.openSession();
                ProgressBar bar = new ProgressBar(host, "asking " + label, questions.size(), "answers")) {
            for (Question question : questions) {
                Optional<String> fault = question.fault(session);
                if (fault.isPresent()) {
                    return Optional.of(question.search.name() + ": " + fault.get() + "\n  asked for " + question.kind
                            + ": " + question.search);
                }
                bar.advance(1);
            }
            return Optional.empty();
        }
    }

    /** Removes the events of the oldest day where the target does that, and looks whether these are gone and all others are there. */
    private Optional<String> removeDay(Store store) {
        Window day = plan.oldestDay();
        List<String> left = ids(events.stream().filter(event -> !day.contains(event.detectTime())));
        if (store.dayRemoval().isEmpty() || left.size() == events.size()) {
            return Optional.empty();
        }
        Optional<String> wrong;
        try (SearchSession session = store.openSession()) {
            var unused = store.dayRemoval().orElseThrow().remove(day);
            Set<String> found = new TreeSet<>();
            session.search(
                    new Search(new SearchName("MENTAT"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole()),
                    row -> found.add(row.id()));
            wrong = counted(store, left.size())
                    .or(() -> found.equals(new TreeSet<>(left))
                            ? Optional.empty()
                            : Optional.of("a search for all events does not find the " + left.size()
                                    + " others, and them alone"));
        } catch (TargetException | SearchException failed) {
            wrong = Optional.of("it fails: " + failed.getMessage());
        }
        if (wrong.isEmpty()) {
            host.line("right when the day of " + day.from() + " is removed");
        }
        return wrong.map(what -> "when the day of " + day.from() + " is removed: " + what);
    }

    private static List<String> ids(Stream<SecurityEvent> some) {
        return some.map(SecurityEvent::id).collect(Collectors.toCollection(ArrayList::new));
    }

    private static List<SecurityEvent> some(EventSource source) {
        long step = Math.max(1, (source.count() + EVENTS - 1) / EVENTS);
        List<SecurityEvent> some = new ArrayList<>();
        long[] number = {0};
        source.read(BATCH, batch -> {
            for (SecurityEvent event : batch) {
                if (number[0]++ % step == 0 && some.size() < EVENTS) {
                    some.add(event);
                }
            }
        });
        return some;
    }

    private static Window times(List<SecurityEvent> some) {
        List<Instant> times =
                some.stream().map(SecurityEvent::detectTime).sorted().toList();
        return new Window(times.get(0), times.get(times.size() - 1).plusSeconds(1));
    }

    /**
     * What a layout is asked.
     *
     * @param kind how it is asked, for people: {@code rows}, {@code a count}
     * @param right what the reference answers
     */
    private record Question(Search search, String kind, Function<SearchSession, List<?>> asking, List<?> right) {
        /** What is wrong first; empty where nothing is. */
        Optional<String> fault(SearchSession session) {
            List<?> came;
            try {
                came = asking.apply(session);
            } catch (SearchException failed) {
                return Optional.of("the search fails: " + failed.getMessage());
            }
            for (int i = 0; i < Math.max(came.size(), right.size()); i++) {
                if (i >= came.size() || i >= right.size() || !came.get(i).equals(right.get(i))) {
                    String is = shown(came, i);
                    String should = shown(right, i);
                    return Optional.of("line " + (i + 1) + " is " + is
                            + (is.equals(should) ? ", whose JSON is not that of the event" : " instead of " + should)
                            + " (" + came.size() + " came, " + right.size() + " are right)");
                }
            }
            return Optional.empty();
        }

        private static String shown(List<?> lines, int place) {
            return place < lines.size() ? String.valueOf(lines.get(place)) : "not there";
        }
    }

    /** An event of an answer. Its JSON may be other text if it means the same. */
    private record Row(String id, Instant detectTime, String idea) {
        private static final ObjectMapper JSON = new ObjectMapper();

        boolean isThatOf(Row other) {
            return id.equals(other.id) && detectTime.equals(other.detectTime) && isSameEvent(other.idea);
        }

        private boolean isSameEvent(String other) {
            try {
                return idea.equals(other) || JSON.readTree(idea).equals(JSON.readTree(other));
            } catch (JsonProcessingException noJson) {
                return false;
            }
        }

        @Override
        public String toString() {
            return "event " + id + " at " + detectTime;
        }
    }

    /** Has all events loaded: that makes no difference to any answer. */
    private void askReference() {
        TargetPlugin memory = TargetPlugin.find("memory").orElseThrow();
        Variant variant = new Variant(memory.abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        DatasetKey key = new DatasetKey(Sha256.fingerprint("check-layout"), "check-layout", events.size());
        try (Target target =
                memory.connect(new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofMinutes(1), 1))) {
            load(target, key, events);
            try (Store store = target.copy(key, "check-layout");
                    SearchSession session = store.openSession()) {
                askAll(session);
            }
        }
    }

    private void askAll(SearchSession reference) {
        Window all = times(events);
        List<Instant> times =
                events.stream().map(SecurityEvent::detectTime).sorted().toList();
        // From one event to another one, so that the first belongs into it and the second does not.
        Window part = new Window(times.get(times.size() / 3), times.get(times.size() * 2 / 3));
        ValuePoolsBuilder counted = new ValuePoolsBuilder();
        counted.add(events);
        SearchDraw draw = new SearchDraw(counted.build(), plan.source());
        Set<List<Criterion>> asked = new HashSet<>();
        for (SearchDefinition definition : draw.catalog().all()) {
            List<Popularity> popularities = List.of(Popularity.values());
            for (int n = 0; n < DRAWS * popularities.size(); n++) {
                Popularity popularity = popularities.get(n % popularities.size());
                Search drawn = draw.search(
                        definition.name(),
                        new DrawRule(popularity, LIST_LENGTH, SeededRandom.of(plan.seed(), n)),
                        asked.size() % 2 == 0 ? all : part,
                        Order.NEWEST_FIRST,
                        new Page.Whole());
                if (asked.add(drawn.criteria())) {
                    ask(
                            new Search(
                                    drawn.name(),
                                    drawn.window(),
                                    drawn.criteria(),
                                    Order.NEWEST_FIRST,
                                    new Page.Whole()),
                            FIELDS.get(asked.size() % FIELDS.size()),
                            reference);
                }
            }
        }
    }

    /** @param field by which it is summed up */
    private void ask(Search whole, Field field, SearchSession reference) {
        for (Order order : Order.values()) {
            rows(whole.with(order), reference);
        }
        rows(whole.with(Window.ALWAYS), reference);
        add(whole, "a count", session -> List.of(session.count(whole)), reference);
        for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
            pages(whole.with(order), reference);
        }
        if (!whole.window().isAlways()) {
            for (Summary summary : List.of(new Summary.Timeline(field, 20), new Summary.TopList(field, 5))) {
                add(whole, summary.toString(), session -> session.summarize(whole, summary), reference);
            }
        }
    }

    private void pages(Search whole, SearchSession reference) {
        List<?> first = rows(whole.with(new Page.Numbered(PAGE, 1)), reference);
        for (Page page : List.of(
                new Page.Numbered(PAGE, 2),
                new Page.Numbered(PAGE, 3),
                new Page.Last(PAGE),
                new Page.Last(LARGE_PAGE))) {
            rows(whole.with(page), reference);
        }
        List<Paging> pagings = plan.choice().abilities().pagings();
        if (pagings.contains(Paging.KEYSET) && !first.isEmpty()) {
            Row last = (Row) first.get(first.size() - 1);
            rows(whole.with(new Page.After(PAGE, new PageKey(last.detectTime, last.id))), reference);
        }
        if (pagings.contains(Paging.CURSOR)) {
            String kind = "rows by a cursor, " + CURSOR_ROWS + " at a time";
            add(whole, kind, session -> byCursor(whole, session), reference);
        }
    }

    private List<?> rows(Search search, SearchSession reference) {
        return add(
                search,
                "rows",
                session -> {
                    List<Row> rows = new ArrayList<>();
                    long count = session.search(search, row -> rows.add(row(row)));
                    if (count != rows.size()) {
                        throw new IllegalStateException(
                                "the search says " + count + " rows but handed over " + rows.size());
                    }
                    if (search.order() == Order.UNSORTED) {
                        rows.sort(Comparator.comparing(Row::id));
                    }
                    return rows;
                },
                reference);
    }

    private List<Row> byCursor(Search search, SearchSession session) {
        List<Row> rows = new ArrayList<>();
        try (ResultCursor cursor = session.open(search)) {
            long count;
            do {
                count = cursor.next(CURSOR_ROWS, row -> rows.add(row(row)));
            } while (count == CURSOR_ROWS);
        }
        return rows;
    }

    /** The reference is asked first: what it had at its place is taken for what means the same. */
    private Row row(RowReader.Row row) {
        Row came = new Row(row.id(), row.detectTime(), new String(row.idea(), StandardCharsets.UTF_8));
        Row right = known.computeIfAbsent(came.id, id -> came);
        return came.isThatOf(right) ? right : came;
    }

    private List<?> add(Search search, String kind, Function<SearchSession, List<?>> asking, SearchSession reference) {
        List<?> right = asking.apply(reference);
        questions.add(new Question(search, kind, asking, right));
        return right;
    }
}
