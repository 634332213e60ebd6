package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.EventFormatException;
import siemload.event.IdeaReader;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.ValueField;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.Bench.Opening;
import siemload.run.Bench.OutsideTimes;
import siemload.run.LoadRun.ReadRouting.ReadStore;
import siemload.run.RunRules.LayoutSearches;
import siemload.scenario.StatementDraw;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementValues;

/**
 * Opens a database that was there before the run: nothing is made in it, and whatever will be asked is looked at before. Used by one
 * thread.
 */
record ExistingDatabase(Opening opening, OutsideTimes times) {
    private static final String REPLAYED = "replay.recording";

    /** Of one kind, at most: more make no other classes. */
    private static final int MOST_VALUES = 100_000;

    private RunHost host() {
        return opening.host();
    }

    private RunPlan plan() {
        return opening.plan();
    }

    /**
     * Opens it for the statements of a run, or for its searches by a layout without loading.
     *
     * @throws siemload.config.ConfigException if others are using the server, or something cannot be asked
     * @throws TargetException if it cannot be had, has no events, or values to ask for cannot be had
     */
    Bench open(ProvidedServer server) {
        Target target = connect(server);
        times.of(
                "look",
                () -> new ForeignServerCheck(host(), plan())
                        .takeExisting(target, server.address().url()));
        if (!plan().asksStatements()) {
            return searched(server, target);
        }
        Store store = askable(target);
        return bench(server, target, store, plan(), new ValuePoolsBuilder().build(), draw(store));
    }

    private Bench bench(
            ProvidedServer server,
            Target target,
            Store store,
            RunPlan known,
            ValuePools pools,
            StatementDraw statements) {
        return new Bench(
                host(),
                known,
                opening.resources(),
                times,
                server,
                target,
                store,
                ReadStore.alone(store),
                List.of(),
                known.searchDraw(pools, statements));
    }

    /** Without executing one of the statements. */
    private Store askable(Target target) {
        List<Statement> statements = plan().scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        Store store = opening.resources().add(times.of("store", () -> target.openStatements(statements)));
        requireAskable(store, statements);
        return store;
    }

    private StatementDraw draw(Store store) {
        return times.of(
                "values",
                () -> StatementDraw.of(
                        plan().scenario().statements(), (parameter, asked) -> values(store, parameter, asked)));
    }

    /**
     * Looks at all that a run will need before it is made.
     *
     * @param look at who uses the server
     * @param problems takes what is wrong, also where the look finds something
     */
    void check(ProvidedServer server, ForeignServerCheck look, Consumer<RuntimeException> problems) {
        Target target = connect(server);
        boolean welcome = true;
        try {
            look.takeExisting(target, server.address().url());
        } catch (ConfigException wrong) {
            problems.accept(wrong);
            welcome = false;
        }
        if (plan().asksStatements()) {
            Store store = askable(target);
            if (welcome) {
                draw(store);
            }
        }
    }

    private Target connect(ProvidedServer server) {
        Target target = times.of(
                "connection",
                () -> opening.resources()
                        .add(plan().choice()
                                .plugin()
                                .connectExisting(server.address(), Opening.options(plan(), plan().sessions()))));
        opening.warnOfTransport(target, server);
        return target;
    }

    private Bench searched(ProvidedServer server, Target target) {
        Store store = opening.resources().add(times.of("store", target::openEvents));
        host().status("looking when the events were");
        Store.Span span = times.of("span", store::span);
        host().status("asking for the values to search for");
        ExistingValues values = new ExistingValues(times.of("values", () -> store.values(MOST_VALUES)));
        host().status("");
        EventTimes found = times.of("span", () -> EventTimes.of(store, span, Instant.now()));
        host().line(String.format(Locale.ROOT, "%,d events from %s to %s", span.events(), span.oldest(), found.newest));
        found.notes.forEach(host()::line);
        values.counts()
                .forEach((field, count) -> host().line(String.format(
                        Locale.ROOT,
                        "values of %s: %,d%s",
                        field.label(),
                        count,
                        count < MOST_VALUES ? "" : ", the first of the query's (its ORDER BY decides which)")));
        requireValues(values);
        RunPlan known = plan().on(ExistingData.of(span.events(), span.oldest(), found.newest, found.notes));
        return bench(server, target, store, known, values.pools(), StatementDraw.NONE);
    }

    /**
     * Where windows of searches end, which a few clocks that are ahead must not decide.
     *
     * @param notes what is wrong with the times
     */
    private record EventTimes(Instant newest, List<String> notes) {
        /** The newest hundredth of the events, but no more than so many, may lie in the future. */
        private static final int MOST_AHEAD = 1_000;

        static EventTimes of(Store store, Store.Span span, Instant now) {
            List<String> notes = new ArrayList<>();
            Instant tomorrow = now.plus(Duration.ofDays(1));
            if (!span.newest().isAfter(tomorrow)) {
                return new EventTimes(span.newest(), notes);
            }
            int most = (int) Math.max(1, Math.min(MOST_AHEAD, span.events() / 100));
            List<Instant> last = new ArrayList<>();
            Window all = new Window(span.oldest(), span.newest().plusSeconds(1));
            try (SearchSession session = store.openSession()) {
                session.search(newestFirst(all, new Page.Numbered(most + 1, 1)), row -> last.add(row.detectTime()));
            } catch (SearchException unable) {
                notes.add("how many events lie in the future is unknown: " + unable.getMessage());
            }
            Optional<Instant> newest =
                    last.stream().filter(time -> !time.isAfter(tomorrow)).findFirst();
            newest.ifPresent(time -> note(
                    notes,
                    last.indexOf(time),
                    span.events(),
                    "a time in the future, up to " + span.newest() + ": windows of searches end at " + time
                            + ", the newest time that is not"));
            return new EventTimes(newest.orElse(span.newest()), notes);
        }

        private static void note(List<String> notes, long some, long all, String what) {
            if (some > 0) {
                notes.add(String.format(Locale.ROOT, "%,d of %,d events have %s", some, all, what));
            }
        }
    }

    /**
     * Looks whether the layout has what a run will ask. Who narrows a search by a row that was seen must be able to read it.
     *
     * @param searches several of each kind
     * @throws siemload.config.ConfigException with each search that it lacks something for, and what
     */
    static void requireAnswerable(RunPlan plan, Store store, Map<SearchKey, List<Search>> searches) {
        LayoutSearches.require(plan, searches);
        if (plan.scenario().analysts().stream().noneMatch(group -> group.followUpRatio() > 0)) {
            return;
        }
        Window all = new Window(plan.source().first(), plan.source().until());
        List<byte[]> newest = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            session.search(newestFirst(all, new Page.Numbered(1, 1)), row -> newest.add(row.idea()));
        }
        try {
            for (byte[] row : newest) {
                var unused = new IdeaReader().read(row);
            }
        } catch (EventFormatException wrong) {
            throw new ConfigException(
                    plan.resolved().origin(path -> path.endsWith(".followUp")),
                    "rows of the layout " + plan.variant().layout()
                            + " are no IDEA events, from which users could go on to another search: "
                            + wrong.getMessage()
                            + " (leave followUp out, or have the layout give ID, DetectTime, Category and what else there is)");
        }
    }

    private static Search newestFirst(Window window, Page page) {
        return new Search(new SearchName("MENTAT"), window, List.of(), Order.NEWEST_FIRST, page);
    }

    private void requireValues(ExistingValues values) {
        Problems problems = new Problems();
        for (String name : plan().searches()) {
            List<String> missing =
                    DrawnFields.missing(plan().resolved().catalog().get(new SearchName(name)), values);
            if (!missing.isEmpty()) {
                problems.add(
                        plan().settings().origin(Property.LAYOUT),
                        name + " looks for values that the layout "
                                + plan().variant().layout() + " has no query for in its block values: "
                                + String.join(", ", missing) + " (write them, or leave the search out)");
            }
        }
        problems.throwIfAny();
    }

    private void requireAskable(Store store, List<Statement> statements) {
        Problems problems = new Problems();
        for (Statement statement : statements) {
            store.refusal(statement)
                    .ifPresent(
                            why -> problems.add(origin(statement), statement.name() + ": " + why + wayOut(statement)));
        }
        problems.throwIfAny();
    }

    private Origin origin(Statement statement) {
        String place = plan().scenario().replays() ? REPLAYED : "statements." + statement.name() + ".sql";
        return plan().resolved().origin(place);
    }

    /** Nobody writes into a recording. */
    private String wayOut(Statement statement) {
        return plan().scenario().replays()
                ? " (leave it out of the replay by without: [" + statement.name() + "])"
                : "";
    }

    private StatementValues values(Store store, String parameter, StatementValues.Asked asked) {
        host().status("asking for the values of " + parameter);
        List<String> values = store.values(asked.query(), StatementValues.Asked.MOST + 1);
        host().status("");
        if (values.isEmpty()) {
            throw new TargetException("the query for the values of " + parameter + " gives no row: " + asked.query());
        }
        boolean more = values.size() > StatementValues.Asked.MOST;
        List<String> taken = more ? values.subList(0, StatementValues.Asked.MOST) : values;
        host().line(String.format(
                Locale.ROOT,
                "values of %s: %,d, of which %,d are different%s",
                parameter,
                taken.size(),
                taken.stream().distinct().count(),
                more ? ", the first of the query's (ORDER BY random() LIMIT ... would take others)" : ""));
        return new StatementValues.Listed(taken);
    }

    /** Which values of existing data a search draws, as {@link siemload.scenario.SearchDraw} draws them. */
    private record DrawnFields(SearchDefinition search, ExistingValues values) {
        /** The queries or columns that the search needs and that gave nothing, for people; none where it can be drawn. */
        static List<String> missing(SearchDefinition search, ExistingValues values) {
            DrawnFields drawn = new DrawnFields(search, values);
            return Stream.of(CriterionKey.values())
                    .filter(search::draws)
                    .flatMap(drawn::missing)
                    .distinct()
                    .toList();
        }

        private Stream<String> missing(CriterionKey key) {
            boolean either = search.side() == EventSide.EITHER;
            boolean byAddress = either && (search.draws(CriterionKey.ADDRESS) || search.draws(CriterionKey.ADDRESSES));
            return switch (key) {
                case ADDRESS, ADDRESSES, RANGE ->
                    alone(ofSide(ValueField.SOURCE, ValueField.TARGET, ValueField.ADDRESS));
                case SERVICE -> beside(ValueField.PORT, ValueField.ADDRESS);
                case CATEGORY -> {
                    if (byAddress || (either && search.draws(CriterionKey.RANGE))) {
                        yield beside(ValueField.CATEGORY, ValueField.ADDRESS);
                    }
                    yield either && search.draws(CriterionKey.DETECTOR)
                            ? beside(ValueField.CATEGORY, ValueField.DETECTOR)
                            : alone(ValueField.CATEGORY);
                }
                case DETECTOR ->
                    byAddress ? beside(ValueField.DETECTOR, ValueField.ADDRESS) : alone(ValueField.DETECTOR);
                case PORT ->
                    byAddress || (either && search.draws(CriterionKey.SERVICE))
                            ? beside(ValueField.PORT, ValueField.ADDRESS)
                            : alone(ofSide(ValueField.SOURCE_PORT, ValueField.TARGET_PORT, ValueField.PORT));
                case ID -> alone(ValueField.ID);
                case TEXT -> alone(ValueField.TEXT);
                case DESCRIPTION -> alone(ValueField.DESCRIPTION);
            };
        }

        private Stream<String> alone(ValueField field) {
            return values.has(field) ? Stream.of() : Stream.of(field.label());
        }

        /** A value that occurred together with another one. */
        private Stream<String> beside(ValueField field, ValueField other) {
            return !values.has(other) || values.has(other, field)
                    ? alone(other)
                    : Stream.of("the column " + field.label() + " of " + other.label());
        }

        private ValueField ofSide(ValueField source, ValueField target, ValueField either) {
            return switch (search.side()) {
                case SOURCE -> source;
                case TARGET -> target;
                case EITHER -> either;
            };
        }
    }
}
