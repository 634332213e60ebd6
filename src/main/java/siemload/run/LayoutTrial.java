package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Sha256;
import siemload.database.Abilities;
import siemload.database.AnsweredRows;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.database.Target.DatasetLoad;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
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
import siemload.query.SearchName;
import siemload.query.SearchValues;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.run.Bench.Opening;
import siemload.run.RunHost.ProgressBar;

/**
 * Loads some events of a data set into the tables of a layout of one's own, feeds others, and asks for them with each index set and
 * each hint that the layout has. Used by one thread.
 */
public final class LayoutTrial {
    /** Taken from all over the data set. */
    private static final int EVENTS = 1_200;

    private static final int FED = 200;
    private static final int BATCH = 1_000;

    private final RunHost host;
    private final RunPlan plan;
    private final LayoutFolder layout;
    private final List<SecurityEvent> loaded;
    private final List<SecurityEvent> fed;
    private final Resources resources;
    private long answers;
    private int variants;

    private LayoutTrial(RunHost host, RunPlan plan, LayoutFolder layout, Resources resources) {
        this.host = host;
        this.plan = plan;
        this.layout = layout;
        this.resources = resources;
        List<SecurityEvent> some = some(plan.source());
        int last = Math.max(1, some.size() - FED);
        this.loaded = some.subList(0, last);
        this.fed = some.subList(last, some.size());
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
                                    + "' is a layout of siemload's (needed: the folder of one of your" + " own)"));
            if (plan.asksExisting()) {
                throw new ConfigException(
                        plan.settings().origin(Property.DATA),
                        "nothing is loaded beside data that are there already, so that nobody knows the right answers"
                                + " (a run holds them against each other: ./siemload run)");
            }
            return new LayoutTrial(host, plan, layout, resources).run();
        }
    }

    private ExitCode run() {
        host.status("asking the reference");
        LayoutCheck check =
                LayoutCheck.of(loaded, fed, Set.copyOf(plan.choice().abilities().pagings()));
        ProvidedServer server = new Opening(host, plan, resources).server();
        host.status("");
        for (Variant variant : tried()) {
            Optional<String> wrong = check(variant, server, check);
            if (wrong.isPresent()) {
                host.line("WRONG with indexes " + variant.indexes().label() + " and hint "
                        + variant.hint().label() + ": " + wrong.get());
                return ExitCode.MISSED;
            }
            variants++;
            host.line("right with indexes " + variant.indexes().label() + " and hint "
                    + variant.hint().label());
        }
        host.line(String.format(
                Locale.ROOT,
                "%s: %,d answers of %s are those of the reference, about %,d loaded and %,d fed events of %s",
                layout.label(),
                answers,
                variants == 1 ? "1 variant" : variants + " variants",
                loaded.size(),
                fed.size(),
                plan.source().name()));
        return ExitCode.OK;
    }

    /** Each index set without a hint, and each hint with the first index set that it goes together with. */
    private List<Variant> tried() {
        TargetPlugin plugin = plan.choice().plugin();
        Abilities abilities = plan.choice().abilities();
        List<Variant> tried = new ArrayList<>();
        for (IndexSet indexes : abilities.indexSets()) {
            tried.add(plan.variant().with(indexes, Hint.NONE));
        }
        for (Hint hint : abilities.hints()) {
            abilities.indexSets().stream()
                    .map(indexes -> plan.variant().with(indexes, hint))
                    .filter(variant ->
                            hint != Hint.NONE && plugin.refusal(variant).isEmpty())
                    .findFirst()
                    .ifPresent(tried::add);
        }
        return tried;
    }

    private Optional<String> check(Variant variant, ProvidedServer server, LayoutCheck check) {
        RunPlan tried =
                new RunPlan(plan.settings(), plan.resolved(), plan.choice().with(variant), plan.source());
        TargetPlugin plugin = plan.choice().plugin();
        try (Target target = plugin.connect(server.address(), Opening.options(tried, RunPlan.OTHER_CONNECTIONS))) {
            DatasetKey key = key(variant, target.version());
            if (variants == 0) {
                new ForeignServerCheck(host, tried)
                        .take(target, key, server.address().url());
            }
            target.discard(key);
            try {
                load(target, key);
                try (Store store = target.copy(key, "check-layout")) {
                    store.makeRoom(times(fed));
                    return check(store, variant, check);
                }
            } finally {
                target.discard(key);
            }
        }
    }

    private Optional<String> check(Store store, Variant variant, LayoutCheck check) {
        String label = "asking with indexes " + variant.indexes().label() + ", hint "
                + variant.hint().label();
        Optional<String> wrong;
        try (ProgressBar bar = new ProgressBar(host, label, check.size(), "answers")) {
            wrong = check.firstFault(store, bar::advance);
        }
        answers += check.size();
        return wrong.or(() -> variants == 0 ? removeDay(store, check) : Optional.empty());
    }

    /** No index and no hint makes a difference to it, so that it is tried once. */
    private Optional<String> removeDay(Store store, LayoutCheck check) {
        Optional<DayRemoval> removal = store.dayRemoval();
        Window day = plan.oldestDay();
        boolean isThere =
                Stream.of(loaded, fed).flatMap(List::stream).anyMatch(event -> day.contains(event.detectTime()));
        if (removal.isEmpty() || !isThere) {
            return Optional.empty();
        }
        Optional<String> wrong = check.removeDay(store, removal.orElseThrow(), day);
        if (wrong.isEmpty()) {
            host.line("right when the day of " + day.from() + " is removed");
        }
        return wrong.map(what -> "when the day of " + day.from() + " is removed: " + what);
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

    private void load(Target target, DatasetKey key) {
        try (DatasetLoad load = target.load(key)) {
            load.write(loaded);
            load.finish(step -> {});
        }
    }

    private static List<SecurityEvent> some(EventSource source) {
        long step = Math.max(1, (source.count() + EVENTS - 1) / EVENTS);
        List<SecurityEvent> some = new ArrayList<>();
        long[] number = {0};
        source.read(BATCH, events -> {
            for (SecurityEvent event : events) {
                if (number[0]++ % step == 0 && some.size() < EVENTS) {
                    some.add(event);
                }
            }
        });
        return some;
    }

    private static Window times(List<SecurityEvent> events) {
        List<Instant> times =
                events.stream().map(SecurityEvent::detectTime).sorted().toList();
        return new Window(times.get(0), times.get(times.size() - 1).plusSeconds(1));
    }

    /**
     * Whether a store of a layout answers as the reference does: fed with some events beside those that it has loaded, it is asked every search
     * that siemload brings, with values of several of the events and with some that no event has, in each order, page by page, as a count
     * and summed up. The questions are made once, for all variants of a layout. Immutable.
     */
    private static final class LayoutCheck {
        private static final String UNKNOWN_ID = "no event has this id";

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
        private final List<SecurityEvent> fed;
        private final List<SecurityEvent> events;

        private LayoutCheck(
                List<SecurityEvent> fed, List<SecurityEvent> events, Set<Paging> pagings, SearchSession reference) {
            this.fed = List.copyOf(fed);
            this.events = events;
            List<Instant> times =
                    events.stream().map(SecurityEvent::detectTime).sorted().toList();
            this.all = new Window(times.get(0), times.get(times.size() - 1).plus(Duration.ofHours(1)));
            // From one event to another one, so that the first belongs into it and the second does not.
            this.part = new Window(times.get(times.size() / 3), times.get(times.size() * 2 / 3));
            this.pagings = Set.copyOf(pagings);
            this.reference = reference;
        }

        /**
         * Asks the reference, which has all events loaded: that makes no difference to any answer.
         *
         * @param loaded at least one
         * @param fed at least one
         * @param pagings how the layout lets users get from page to page
         */
        static LayoutCheck of(List<SecurityEvent> loaded, List<SecurityEvent> fed, Set<Paging> pagings) {
            List<SecurityEvent> events = new ArrayList<>(loaded);
            events.addAll(fed);
            TargetPlugin memory = TargetPlugin.find("memory").orElseThrow();
            Variant variant = new Variant(memory.abilities().layouts().get(0), IndexSet.NONE, Hint.NONE, Paging.OFFSET);
            DatasetKey key = new DatasetKey(Sha256.fingerprint("check-layout"), "check-layout", events.size());
            try (Target target = memory.connect(
                    new ServerAddress("", "", ""), new TargetOptions(variant, Duration.ofMinutes(1), 1))) {
                try (DatasetLoad load = target.load(key)) {
                    load.write(events);
                    load.finish(step -> {});
                }
                try (Store store = target.copy(key, "check-layout");
                        SearchSession session = store.openSession()) {
                    LayoutCheck check = new LayoutCheck(fed, events, pagings, session);
                    check.askAll();
                    return check;
                }
            }
        }

        private void askAll() {
            Set<List<Criterion>> asked = new HashSet<>();
            for (SearchDefinition definition : SearchCatalog.builtIn().all()) {
                for (SearchValues some : values(events)) {
                    List<Criterion> criteria = definition.criteria(some);
                    if (asked.add(criteria)) {
                        ask(definition, criteria, asked.size());
                    }
                }
            }
        }

        /** How many answers are looked at. */
        int size() {
            return questions.size();
        }

        /**
         * Feeds a store that has the others loaded, and asks all questions.
         *
         * @param progress hears how many more answers were looked at
         * @return the first that is wrong; empty where nothing is
         */
        Optional<String> firstFault(Store store, IntConsumer progress) {
            return feed(store).or(() -> {
                try (SearchSession session = store.openSession()) {
                    return firstFault(session, progress);
                }
            });
        }

        private Optional<String> firstFault(SearchSession session, IntConsumer progress) {
            for (Question question : questions) {
                Optional<String> fault = question.fault(session);
                if (fault.isPresent()) {
                    return Optional.of(question.search().name() + ": " + fault.get() + "\n  asked for "
                            + question.kind() + ": " + question.search());
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
            long unknown = store.presenceOf(List.of(UNKNOWN_ID)).found();
            if (unknown != 0) {
                return Optional.of("the file presence finds " + unknown + " events with an id that none has");
            }
            List<String> ids =
                    new ArrayList<>(fed.stream().map(SecurityEvent::id).toList());
            ids.add(UNKNOWN_ID);
            Store.Presence presence = store.presenceOf(ids);
            if (presence.found() != fed.size() || presence.duplicated() != 0) {
                return Optional.of("of " + fed.size() + " fed events the file presence finds " + presence.found() + ", "
                        + presence.duplicated() + " of them more than once (right: all of them, each once)");
            }
            return store.events() == events.size() ? Optional.empty() : counted(store, events);
        }

        /**
         * Removes the events of a day, and looks whether these are gone and all others are there.
         *
         * @return what is wrong then; empty where nothing is
         */
        Optional<String> removeDay(Store store, DayRemoval removal, Window day) {
            try {
                var unused = removal.remove(day);
            } catch (TargetException refused) {
                return Optional.of("it fails: " + refused.getMessage());
            }
            List<SecurityEvent> left = events.stream()
                    .filter(event -> !day.contains(event.detectTime()))
                    .toList();
            List<String> gone = events.stream()
                    .filter(event -> day.contains(event.detectTime()))
                    .map(SecurityEvent::id)
                    .toList();
            Store.Presence still = store.presenceOf(gone);
            Store.Presence others =
                    store.presenceOf(left.stream().map(SecurityEvent::id).toList());
            if (still.found() != 0 || others.found() != left.size()) {
                return Optional.of(still.found() + " of the " + gone.size() + " events of the day are still there, and "
                        + others.found() + " of the " + left.size() + " others (right: none, and all of them)");
            }
            return store.events() == left.size() ? found(store, left) : counted(store, left);
        }

        private static Optional<String> counted(Store store, List<SecurityEvent> left) {
            return Optional.of("counting all events gives " + store.events() + " instead of " + left.size());
        }

        private static Optional<String> found(Store store, List<SecurityEvent> left) {
            Search everything =
                    new Search(new SearchName("MENTAT"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());
            Set<String> ids = new HashSet<>();
            left.forEach(event -> ids.add(event.id()));
            try (SearchSession session = store.openSession()) {
                long rows = session.search(everything, row -> ids.remove(row.id()));
                return rows == left.size() && ids.isEmpty()
                        ? Optional.empty()
                        : Optional.of("a search for all events finds " + rows + " instead of " + left.size());
            } catch (SearchException failed) {
                return Optional.of("the search for all events fails: " + failed.getMessage());
            }
        }
    }
}
