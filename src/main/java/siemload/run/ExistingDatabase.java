package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.directory.ForeignDirectoryException;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ExistingEvents;
import siemload.database.ExistingTarget;
import siemload.database.Provision;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.StatementStore;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.provision.ContainerRequest;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.Provisioner;
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.dataset.ValuePools;
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
import siemload.run.DatasetLoading.DiskSpace;
import siemload.run.RunPlan.ReplicationOffer;
import siemload.run.RunSetup.OutsideTimes;
import siemload.scenario.Procedure;
import siemload.scenario.StatementDraw;
import siemload.scenario.StatementPlan;
import siemload.scenario.StatementValues;

/** Opens a database that was there before the run: nothing is made in it, and whatever will be asked is looked at before. */
record ExistingDatabase(RunHost host, RunPlan plan, OutsideTimes times, Resources resources) {
    private static final String REPLAYED = "replay.recording";

    /** Of one kind, at most: more make no other classes. */
    private static final int MOST_VALUES = 100_000;

    /**
     * What a run asks.
     *
     * @param draw with the values that the database was asked for
     */
    record Opened(ExistingTarget target, StatementStore store, StatementDraw draw) {}

    /**
     * What a run searches.
     *
     * @param known the plan, with when the events were
     * @param pools the values that the database was asked for
     */
    record Searched(ExistingTarget target, ExistingEvents store, RunPlan known, ValuePools pools) {}

    /**
     * Opens it for statements.
     *
     * @throws siemload.config.ConfigException if others are using the server, or a statement cannot be asked
     * @throws TargetException if it cannot be had, or values for a statement cannot
     */
    Opened open(ProvidedServer server) {
        ExistingTarget target = lookedAt(server);
        StatementStore store = askable(target);
        return new Opened(target, store, draw(store));
    }

    /** Without executing one of the statements. */
    private StatementStore askable(ExistingTarget target) {
        List<Statement> statements = plan.scenario().statements().stream()
                .map(StatementPlan::statement)
                .toList();
        StatementStore store = resources.add(times.of("store", () -> target.open(statements)));
        requireAskable(store, statements);
        return store;
    }

    private StatementDraw draw(StatementStore store) {
        return times.of(
                "values",
                () -> StatementDraw.of(
                        plan.scenario().statements(), (parameter, asked) -> values(store, parameter, asked)));
    }

    /**
     * Looks at all that a run will need before it is made.
     *
     * @param look at who uses the server
     * @param problems takes what is wrong, also where the look finds something
     */
    void check(ProvidedServer server, ForeignServerCheck look, Consumer<RuntimeException> problems) {
        ExistingTarget target = connect(server);
        boolean welcome = true;
        try {
            look.take(target, server.address().url());
        } catch (ConfigException wrong) {
            problems.accept(wrong);
            welcome = false;
        }
        if (plan.asksStatements()) {
            StatementStore store = askable(target);
            if (welcome) {
                draw(store);
            }
        }
    }

    private ExistingTarget lookedAt(ProvidedServer server) {
        ExistingTarget target = connect(server);
        times.of(
                "look",
                () -> new ForeignServerCheck(host, plan)
                        .take(target, server.address().url()));
        return target;
    }

    private ExistingTarget connect(ProvidedServer server) {
        ExistingTarget target = times.of(
                "connection",
                () -> resources.add(plan.choice()
                        .plugin()
                        .connectExisting(server.address(), RunSetup.options(plan, plan.sessions()))));
        RunSetup.warnOfTransport(host, plan, target.server().transport(), server);
        ReplicationOffer.requireStandbys(plan.settings(), target.server());
        return target;
    }

    /**
     * Opens it for searches by a layout without loading.
     *
     * @throws siemload.config.ConfigException if others are using the server, or the layout has no values for a search
     * @throws TargetException if it cannot be had, or has no events
     */
    Searched openEvents(ProvidedServer server) {
        ExistingTarget target = lookedAt(server);
        ExistingEvents store = resources.add(times.of("store", target::openEvents));
        host.status("looking when the events were");
        ExistingEvents.Span span = times.of("span", store::span);
        host.status("asking for the values to search for");
        ExistingValues values = new ExistingValues(times.of("values", () -> store.values(MOST_VALUES)));
        host.status("");
        EventTimes found = times.of("span", () -> EventTimes.of(store, span, Instant.now()));
        host.line(String.format(Locale.ROOT, "%,d events from %s to %s", span.events(), span.oldest(), found.newest));
        found.notes.forEach(host::line);
        values.counts()
                .forEach((field, count) -> host.line(String.format(
                        Locale.ROOT,
                        "values of %s: %,d%s",
                        field.label(),
                        count,
                        count < MOST_VALUES ? "" : ", the first of the query's (its ORDER BY decides which)")));
        requireValues(values);
        return new Searched(
                target,
                store,
                plan.on(ExistingData.of(span.events(), span.oldest(), found.newest, found.notes)),
                values.pools());
    }

    /**
     * Where windows of searches end, which a few clocks that were wrong must not decide.
     *
     * @param notes what is wrong with the times
     */
    private record EventTimes(Instant newest, List<String> notes) {
        /** The newest hundredth of the events, but no more than so many, may lie away from the others. */
        private static final int MOST_AWAY = 1_000;
        /** Of which one is a hundredth. */
        private static final int FEWEST = 100;

        static EventTimes of(ExistingEvents store, ExistingEvents.Span span, Instant now) {
            List<String> notes = new ArrayList<>();
            note(notes, span.infinite(), span.events(), "an infinite time, and are in no window");
            note(notes, span.timeless(), span.events(), "no time, and are in no window");
            int away = (int) Math.max(1, Math.min(MOST_AWAY, span.events() / 100));
            List<Instant> last = last(store, span, away + 1, notes);
            Instant tomorrow = now.plus(Duration.ofDays(1));
            long ahead = last.stream().filter(time -> time.isAfter(tomorrow)).count();
            if (ahead > 0 && ahead < last.size()) {
                Instant newest = last.get((int) ahead);
                note(
                        notes,
                        ahead,
                        span.events(),
                        "a time in the future, up to " + span.newest() + ": windows of searches end at " + newest
                                + ", the newest time that is not");
                return new EventTimes(newest, notes);
            }
            if (last.size() > away && span.events() >= FEWEST) {
                Instant others = last.get(away);
                Duration reach = Duration.between(span.oldest(), others);
                note(
                        notes,
                        last.stream()
                                .filter(time -> Duration.between(others, time).compareTo(reach) > 0)
                                .count(),
                        span.events(),
                        "a time far behind the others, which end at " + others + ": windows of searches end at "
                                + span.newest() + " and may find nothing else (leave such rows out in from)");
            }
            return new EventTimes(span.newest(), notes);
        }

        private static List<Instant> last(
                ExistingEvents store, ExistingEvents.Span span, int number, List<String> notes) {
            Window all = new Window(span.oldest(), span.newest().plusSeconds(1));
            Search newest = new Search(
                    new SearchName("MENTAT"), all, List.of(), Order.NEWEST_FIRST, new Page.Numbered(number, 1));
            List<Instant> times = new ArrayList<>();
            try (SearchSession session = store.openSession()) {
                session.search(newest, row -> times.add(row.detectTime()));
            } catch (SearchException unable) {
                notes.add("whether the newest times are far from the others is unknown: " + unable.getMessage());
            }
            return times;
        }

        private static void note(List<String> notes, long some, long all, String what) {
            if (some > 0) {
                notes.add(String.format(Locale.ROOT, "%,d of %,d events have %s", some, all, what));
            }
        }
    }

    private void requireValues(ExistingValues values) {
        Problems problems = new Problems();
        for (String name : plan.searches()) {
            List<String> missing = DrawnFields.missing(plan.resolved().catalog().get(new SearchName(name)), values);
            if (!missing.isEmpty()) {
                problems.add(
                        plan.settings().origin(Property.LAYOUT),
                        name + " looks for values that the layout "
                                + plan.variant().layout() + " has no query for in values"
                                + plan.choice()
                                        .plugin()
                                        .ownLayouts()
                                        .orElseThrow()
                                        .ending() + ": "
                                + String.join(", ", missing) + " (write them, or leave the search out)");
            }
        }
        problems.throwIfAny();
    }

    private void requireAskable(StatementStore store, List<Statement> statements) {
        Problems problems = new Problems();
        for (Statement statement : statements) {
            store.refusal(statement)
                    .ifPresent(
                            why -> problems.add(origin(statement), statement.name() + ": " + why + wayOut(statement)));
        }
        problems.throwIfAny();
    }

    private Origin origin(Statement statement) {
        String place = plan.scenario().replays() ? REPLAYED : "statements." + statement.name() + ".sql";
        return plan.resolved().origin(place);
    }

    /** Nobody writes into a recording. */
    private String wayOut(Statement statement) {
        return plan.scenario().replays() ? " (leave it out of the replay by without: [" + statement.name() + "])" : "";
    }

    private StatementValues values(StatementStore store, String parameter, StatementValues.Asked asked) {
        host.status("asking for the values of " + parameter);
        List<String> values = store.values(asked.query(), StatementValues.Asked.MOST + 1);
        host.status("");
        if (values.isEmpty()) {
            throw new TargetException("the query for the values of " + parameter + " gives no row: " + asked.query());
        }
        boolean more = values.size() > StatementValues.Asked.MOST;
        List<String> taken = more ? values.subList(0, StatementValues.Asked.MOST) : values;
        host.line(String.format(
                Locale.ROOT,
                "values of %s: %,d, of which %,d are different%s",
                parameter,
                taken.size(),
                taken.stream().distinct().count(),
                more ? ", the first of the query's (ORDER BY random() LIMIT ... would take others)" : ""));
        return new StatementValues.Listed(taken);
    }

    /** Which values a search draws, where queries give them, as {@link SearchDraw} draws them. Stateless. */
    private static final class DrawnFields {
        private DrawnFields() {}

        /** The queries or columns that the search needs and that gave nothing, for people; none where it can be drawn. */
        static List<String> missing(SearchDefinition search, ExistingValues values) {
            List<String> missing = new ArrayList<>();
            for (Need need : needs(search)) {
                if (!values.has(need.field)) {
                    missing.add(need.field.label());
                } else if (need.beside.isPresent() && !values.has(need.field, need.beside.get())) {
                    missing.add("the column " + need.beside.get().label() + " of " + need.field.label());
                }
            }
            return missing.stream().distinct().toList();
        }

        /** A value, perhaps with what occurred together with it. */
        private record Need(ValueField field, Optional<ValueField> beside) {
            static Need of(ValueField field) {
                return new Need(field, Optional.empty());
            }

            static Need of(ValueField field, ValueField beside) {
                return new Need(field, Optional.of(beside));
            }
        }

        private static List<Need> needs(SearchDefinition search) {
            List<Need> needs = new ArrayList<>();
            for (CriterionKey key : CriterionKey.values()) {
                if (search.draws(key)) {
                    needs.add(need(key, search));
                }
            }
            return needs;
        }

        private static Need need(CriterionKey key, SearchDefinition search) {
            boolean either = search.side() == EventSide.EITHER;
            boolean besideAddress =
                    either && (search.draws(CriterionKey.ADDRESS) || search.draws(CriterionKey.ADDRESSES));
            return switch (key) {
                case ADDRESS, ADDRESSES, RANGE -> Need.of(address(search.side()));
                case SERVICE -> Need.of(ValueField.ADDRESS, ValueField.PORT);
                case CATEGORY -> category(search, either, besideAddress);
                case DETECTOR ->
                    besideAddress ? Need.of(ValueField.ADDRESS, ValueField.DETECTOR) : Need.of(ValueField.DETECTOR);
                case PORT ->
                    besideAddress || (either && search.draws(CriterionKey.SERVICE))
                            ? Need.of(ValueField.ADDRESS, ValueField.PORT)
                            : Need.of(port(search.side()));
                case ID -> Need.of(ValueField.ID);
                case TEXT -> Need.of(ValueField.TEXT);
                case DESCRIPTION -> Need.of(ValueField.DESCRIPTION);
            };
        }

        private static Need category(SearchDefinition search, boolean either, boolean besideAddress) {
            if (besideAddress || (either && search.draws(CriterionKey.RANGE))) {
                return Need.of(ValueField.ADDRESS, ValueField.CATEGORY);
            }
            return either && search.draws(CriterionKey.DETECTOR)
                    ? Need.of(ValueField.DETECTOR, ValueField.CATEGORY)
                    : Need.of(ValueField.CATEGORY);
        }

        private static ValueField address(EventSide side) {
            return switch (side) {
                case SOURCE -> ValueField.SOURCE;
                case TARGET -> ValueField.TARGET;
                case EITHER -> ValueField.ADDRESS;
            };
        }

        private static ValueField port(EventSide side) {
            return switch (side) {
                case SOURCE -> ValueField.SOURCE_PORT;
                case TARGET -> ValueField.TARGET_PORT;
                case EITHER -> ValueField.PORT;
            };
        }
    }

    /**
     * A server beside the first one of a run, with the same data set. Immutable; its parts are not.
     *
     * @param number 2 for the first beside it
     */
    record OtherServer(int number, ProvidedServer server, Target target, Store store) {}

    /** Gets the servers beside the first one that a procedure works with, and the data set or an empty store on them. Used by one thread. */
    record OtherServers(RunHost host, RunPlan plan, Resources resources) {
        /** How many servers a run works with. */
        static int count(RunPlan plan) {
            return plan.scenario().procedure().map(Procedure::servers).orElse(1);
        }

        /**
         * Refuses a plan with more servers than there are.
         *
         * @throws ConfigException if it is one
         */
        static void require(RunPlan plan) {
            int wanted = count(plan);
            if (wanted == 1) {
                return;
            }
            Provision provision = plan.choice().provision();
            if (provision != Provision.EMBEDDED) {
                throw new ConfigException(
                        plan.resolved().origin("procedure.servers"),
                        "procedure.servers: " + wanted
                                + " servers were asked for, but siemload starts several embedded ones only, and it is provision="
                                + provision.label() + " (give 1)");
            }
        }

        /** All of them are ready, with the data set in them unless the procedure begins without; the resources give them back. */
        List<OtherServer> open(String runId) {
            List<OtherServer> others = new ArrayList<>();
            for (int number = 2; number <= count(plan); number++) {
                others.add(open(number, runId));
            }
            return List.copyOf(others);
        }

        private OtherServer open(int number, String runId) {
            ProvidedServer server = new ServerStart(host, plan, resources).startOther(number);
            Target target = RunSetup.connect(host, plan, server, plan.sessions(), resources);
            DatasetKey key = DatasetKeys.of(plan, target.version());
            new ForeignServerCheck(host, plan)
                    .take(target, key, server.address().url());
            Store store = resources.add(store(server, target, key, runId + "-" + number));
            host.status("");
            return new OtherServer(number, server, target, store);
        }

        private Store store(ProvidedServer server, Target target, DatasetKey key, String name) {
            if (plan.startsEmpty()) {
                return target.emptyStore(name);
            }
            new DatasetLoading(host, plan).load(target, key, server);
            return target.read(key, name);
        }
    }

    /** Gets the server that the settings of a run ask for. Used by one thread. */
    record ServerStart(RunHost host, RunPlan plan, Resources resources) {

        /** Returns when the server is ready; the resources give it back. */
        ProvidedServer start() {
            TargetPlugin plugin = plan.choice().plugin();
            Settings settings = plan.settings();
            CacheDirectory.prepare(plan);
            boolean isThere = plan.choice().provision() == Provision.EXTERNAL;
            host.status((isThere ? "connecting to " : "starting ") + plugin.id());
            return switch (plan.choice().provision()) {
                case EMBEDDED -> embedded(plan.cache());
                case EXTERNAL -> {
                    settings.notes().forEach(host::line);
                    yield external(settings.value(Property.URL));
                }
                case CONTAINER ->
                    resources
                            .add(Provisioner.container(plugin, containerRequest(), host))
                            .start();
            };
        }

        /**
         * Another embedded server beside the first one, with a directory of its own.
         *
         * @param number 2 for the first beside it
         */
        ProvidedServer startOther(int number) {
            host.status("starting " + plan.choice().plugin().id() + " " + number);
            return embedded(plan.cache().resolve("server-" + number));
        }

        private ProvidedServer embedded(Path directory) {
            new DiskSpace(plan).requireForServer();
            EmbeddedOptions options = new EmbeddedOptions(directory, plan.sessions(), plan.parameters());
            return resources.open(() -> Provisioner.embedded(plan.choice().plugin(), options, host));
        }

        private ProvidedServer external(String url) {
            Settings settings = plan.settings();
            return resources.add(
                    Provisioner.external(url, settings.credentials(url), settings.find(Property.CACHE_COMMAND)));
        }

        private ContainerRequest containerRequest() {
            Settings settings = plan.settings();
            Optional<String> image = settings.find(Property.IMAGE);
            return new ContainerRequest(
                    image,
                    settings.value(Property.CONTAINER_MEMORY),
                    settings.value(Property.CONTAINER_CPUS),
                    plan.sessions(),
                    plan.parameters());
        }

        /** The directory of what is kept between runs: programs, data sets, values, passwords. */
        private static final class CacheDirectory {
            private CacheDirectory() {}

            /**
             * Makes it if need be; nobody but its user can put anything there.
             *
             * @throws ConfigException if others can, or if it cannot be made though the run cannot do without
             */
            static void prepare(RunPlan plan) {
                Path cache = plan.cache();
                boolean needed = plan.choice().provision() != Provision.EXTERNAL;
                if (!needed && !Files.exists(cache, LinkOption.NOFOLLOW_LINKS)) {
                    return;
                }
                try {
                    Ownership.ofThisUser().makePrivate(cache);
                } catch (ForeignDirectoryException foreign) {
                    throw new ConfigException(plan.settings().origin(Property.CACHE), Reason.of(foreign));
                } catch (IOException unusable) {
                    if (needed) {
                        throw new ConfigException(
                                plan.settings().origin(Property.CACHE),
                                "the cache directory " + cache + " cannot be used: " + Reason.of(unusable)
                                        + " (choose another with -Dcache=DIR)");
                    }
                }
            }
        }
    }
}
