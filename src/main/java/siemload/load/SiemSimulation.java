package siemload.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.app.Gatling$;
import io.gatling.charts.component.ComponentLibrary;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.action.BlockExit$;
import io.gatling.core.action.SessionHook;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.protocol.ProtocolComponents;
import io.gatling.core.protocol.ProtocolKey;
import io.gatling.core.session.Session;
import io.gatling.core.stats.DataWritersStatsEngine;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ProtocolBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import scala.Console$;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.List$;
import scala.runtime.BoxedUnit;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.load.SiemSimulation.SiemAction.DueActions;
import siemload.load.SiemSimulation.SiemAction.VirtualUser;
import siemload.load.UserSession.Replay;
import siemload.load.UserSession.TaskSession;
import siemload.measure.LatencyRecorder.Sample;
import siemload.measure.LatencyRecorder.Taker;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.Outcome;
import siemload.results.SearchKey;
import siemload.run.Breakdown;
import siemload.run.LoadRun.Shard;
import siemload.run.RunGuard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.AnalystGroup.WindowLength;
import siemload.scenario.LoadModel;
import siemload.scenario.SearchDraw;

/**
 * Runs a scenario file: every group of analysts becomes a Gatling population, whose users pause until their next search is due, and search;
 * the feeder runs next to them. A procedure is executed instead of a load, and then the process ends. Properties select scenario and
 * database ({@code -Dscenario=hawat -Dtarget=memory ...}). This class also has the DSL for simulations in Java:
 *
 * <pre>{@code
 * import static siemload.load.SiemSimulation.*;
 *
 * public class Triage extends Simulation {
 *     SiemProtocol siem = siem();
 *
 *     ScenarioBuilder triage = scenario("triage").exec(
 *             search(HAWAT1).page(100),
 *             pause(1),
 *             search(HAWAT3).category("Recon.Scanning").last(Duration.ofHours(24)).page(100, 2));
 *
 *     { setUp(triage.injectOpen(constantUsersPerSec(2).during(siem.duration()))).protocols(siem); }
 * }
 * }</pre>
 */
public final class SiemSimulation extends Simulation {
    private static final Duration SHORTEST_SLICE = Duration.ofMillis(100);
    private static final int MOST_SLICES = 36_000;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final int PAGE = 100;
    private static final String DUE_ACTIONS = "siemload";
    private static final long LONG_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    public SiemSimulation() {
        SiemProtocol siem = siem();
        siem.engine.onlyAnalysts();
        setUp(siem.analysts()).protocols(siem);
    }

    /**
     * Runs a simulation to its end in this process. Gatling's Maven plugin runs simulations in a separate process.
     *
     * @return Gatling's exit code: 0, or 2 for failed assertions
     */
    public static int run(Settings settings) {
        Path results = settings.value(Property.RESULTS).resolve("gatling");
        String sentence = settings.value(Property.SCENARIO) + " on " + settings.value(Property.TARGET);
        // The description is encoded, since Gatling decodes every description that happens to be valid Base64.
        String description = Base64.getEncoder().encodeToString(sentence.getBytes(StandardCharsets.UTF_8));
        // Container images lack Gatling's charts, whose licence forbids copies; Gatling then makes no report.
        boolean hasCharts =
                ServiceLoader.load(ComponentLibrary.class).findFirst().isPresent();
        return hasCharts ? run(results, "-rd", description) : runWithoutReport(results);
    }

    /**
     * Runs a simulation like {@link #run(Settings)}, but without Gatling's report, for a part of a run.
     *
     * @param directory for Gatling's log
     */
    public static int runWithoutReport(Path directory) {
        return run(directory, "-nr");
    }

    private static int run(Path directory, String... more) {
        Stream<String> arguments = Stream.of("-s", SiemSimulation.class.getName(), "-rf", directory.toString());
        try {
            return Gatling$.MODULE$.fromArgs(
                    Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
        } catch (UnsupportedOperationException nothingToReport) {
            // Gatling makes no report of a run in which nothing was measured. siemload has already said so.
            return 0;
        }
    }

    /**
     * Prepares the database, data set, feeder and phases that the properties and their scenario file select. The scenario's analysts
     * determine the number of workers. If there is a problem, this method does not return: the process ends with a message.
     */
    public static SiemProtocol siem() {
        // Does not return if the scenario is a procedure: Gatling would crash in its report of a run without requests.
        RunGuard.requireLoad();
        LoadEngine.rehearse();
        LoadEngine engine = RunGuard.open(LoadEngine::new);
        if (!engine.plan().settings().value(Property.DETAILS)) {
            // Otherwise, the last lines that users read would be Gatling's remarks about its report.
            Console$.MODULE$.setOutDirect(
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        }
        return new SiemProtocol(engine);
    }

    /** Returns a search of the catalogue: newest first, over the last seven days, the first page of 100 rows, typical values. */
    public static SearchBuilder search(SearchName name) {
        return new SearchBuilder(
                name, WindowLength.last(WEEK), Order.NEWEST_FIRST, new Page.Numbered(PAGE, 1), List.of());
    }

    /** @param groupIndex the group's position in the scenario, which gives each group its own random numbers */
    private static PopulationBuilder population(LoadEngine engine, AnalystGroup group, int groupIndex) {
        long seed = SeededRandom.mix(engine.plan().seed(), groupIndex);
        Shard shard = engine.plan().shard();
        ScenarioBuilder scenario = scenario(group.name());
        if (group.load() instanceof LoadModel.Replayed replayed) {
            return scenario.exec(SiemAction.of("replay", user -> new Replay(user).start(group, replayed, seed)))
                    .injectOpen(atOnceUsers(1));
        }
        if (group.load() instanceof LoadModel.Scheduled schedule) {
            AtomicInteger tasks = new AtomicInteger();
            return scenario.exec(work(user -> new TaskSession(user, group, schedule, tasks.getAndIncrement(), seed)))
                    .injectOpen(atOnceUsers(schedule.tasks()));
        }
        Analyst.UserRoster roster = new Analyst.UserRoster(group, seed, shard);
        ScenarioBuilder analyst = scenario.exec(work(user -> new UserSession(user, roster.next())));
        return group.load() instanceof LoadModel.Open open
                ? analyst.injectOpen(arriving(roster.thereAtStart, open, engine.duration(), shard))
                : analyst.injectOpen(atOnceUsers(shard.of(((LoadModel.Closed) group.load()).users())));
    }

    private static ChainBuilder work(Function<VirtualUser, DueActions> arrival) {
        return exec(SiemAction.of("arrive", user -> user.proceedWith(arrival.apply(user))))
                .asLongAs(session -> session.get(DUE_ACTIONS) instanceof DueActions actions && actions.isThere)
                .on(
                        SiemAction.of("pause until due", user -> user.proceedAt(user.actions().dueNanos)),
                        SiemAction.of("search", user -> user.actions().act(user)));
    }

    /** Returns steps that start users shortly before they are due, so that a late start does not make the users late. */
    private static OpenInjectionStep[] arriving(int thereAtStart, LoadModel.Open open, Duration duration, Shard shard) {
        long slice = Math.max(SHORTEST_SLICE.toNanos(), duration.toNanos() / MOST_SLICES);
        List<OpenInjectionStep> steps = new ArrayList<>(List.of(atOnceUsers(thereAtStart)));
        Duration pause = Duration.ZERO;
        for (long from = 0; from < duration.toNanos(); from += slice) {
            long until = Math.min(from + slice, duration.toNanos());
            long users = shard.below(open.dueBefore(until)) - shard.below(open.dueBefore(from));
            if (users > 0) {
                steps.addAll(List.of(nothingFor(pause), atOnceUsers(Math.toIntExact(users))));
                pause = Duration.ZERO;
            }
            pause = pause.plusNanos(until - from);
        }
        return steps.toArray(OpenInjectionStep[]::new);
    }

    /**
     * A database under test, for a simulation's {@code protocols(...)}: the load starts with the first user and is finished when Gatling
     * ends. Thread-safe.
     */
    public static final class SiemProtocol implements ProtocolBuilder, Protocol {
        static final ProtocolKey<SiemProtocol, Components> KEY = new Key();

        private final LoadEngine engine;

        private SiemProtocol(LoadEngine engine) {
            this.engine = engine;
        }

        /** Returns the analysts of the scenario file, one population for each group that has users here, for {@code setUp(...)}. */
        public List<PopulationBuilder> analysts() {
            Shard shard = engine.plan().shard();
            List<AnalystGroup> groups = engine.plan().scenario().analysts();
            List<PopulationBuilder> populations = new ArrayList<>();
            for (int i = 0; i < groups.size(); i++) {
                if (!(groups.get(i).load() instanceof LoadModel.Closed closed) || shard.of(closed.users()) > 0) {
                    populations.add(population(engine, groups.get(i), i));
                }
            }
            if (!shard.isWhole()) {
                // This user only starts the load: a shard's load begins at the agreed instant, whenever its first user
                // is due.
                populations.add(scenario("start")
                        .exec(SiemAction.of("start", SiemAction.VirtualUser::proceed))
                        .injectOpen(atOnceUsers(1)));
            }
            return populations;
        }

        /** Returns how long the load lasts: the warm-up and the measured phase together. */
        public Duration duration() {
            return engine.duration();
        }

        @Override
        public Protocol protocol() {
            return this;
        }

        /**
         * The parts of the protocol that actions and users need.
         *
         * @param told one receiver of the measured searches, and one of all others. The second is Gatling's code without a writer, so that
         *     Java does not compile that code during the first measured searches
         * @param aheadNanos how far Gatling's clock, which is monotonic as well, is ahead of {@link System#nanoTime}
         * @param labels the labels of searches: building a label for each answer would take as long as all other work on that answer here
         */
        record Components(LoadEngine engine, List<StatsEngine> told, long aheadNanos, Map<SearchKey, String> labels)
                implements ProtocolComponents {
            @Override
            public Function1<Session, Session> onStart() {
                return session -> {
                    Breakdown.guarded(engine::start).run();
                    return session;
                };
            }

            @Override
            public Function1<Session, BoxedUnit> onExit() {
                return session -> {
                    engine.takeIn();
                    return BoxedUnit.UNIT;
                };
            }
        }

        private static final class Key implements ProtocolKey<SiemProtocol, Components> {
            @Override
            @SuppressWarnings("unchecked") // Gatling indexes protocols by class and declares the key's type invariant
            public Class<Protocol> protocolClass() {
                return (Class<Protocol>) (Class<?>) SiemProtocol.class;
            }

            @Override
            public SiemProtocol defaultProtocolValue(GatlingConfiguration configuration) {
                throw new IllegalStateException("searches need a database: add .protocols(siem()) to setUp(...)");
            }

            /** The outer call runs once per simulation, and the inner call once per scenario. */
            @Override
            public Function1<SiemProtocol, Components> newComponents(CoreComponents core) {
                long aheadNanos = TimeUnit.MILLISECONDS.toNanos(core.clock().nowMillis()) - System.nanoTime();
                Map<SearchKey, String> labels = new HashMap<>();
                StatsEngine unread =
                        new DataWritersStatsEngine(List$.MODULE$.empty(), core.actorSystem(), core.clock());
                unread.start();
                List<StatsEngine> told = List.of(core.statsEngine(), unread);
                return protocol -> {
                    core.actorSystem().registerOnTermination(() -> {
                        protocol.engine.finish(); // which happens once, however many scenarios there are
                        return BoxedUnit.UNIT;
                    });
                    return new Components(protocol.engine, told, aheadNanos, labels);
                };
            }
        }
    }

    /**
     * A search as an element of a Gatling chain. Every method returns a changed copy. Values that are not given are drawn from the data set
     * for each execution. Immutable.
     *
     * @param given the criteria that have given values
     */
    public record SearchBuilder(SearchName name, WindowLength window, Order order, Page page, List<Criterion> given)
            implements ActionBuilder {
        private static final int LIST = 10;
        /** The first execution's number for the next {@code search(...)}: no two of them draw the same random numbers. */
        private static final AtomicLong NEXT = new AtomicLong();

        public SearchBuilder {
            given = List.copyOf(given);
        }

        /** Searches a window of this length that ends now, in the time of the data. */
        public SearchBuilder last(Duration length) {
            return new SearchBuilder(name, WindowLength.last(length), order, page, given);
        }

        public SearchBuilder oldestFirst() {
            return new SearchBuilder(name, window, Order.OLDEST_FIRST, page, given);
        }

        /** Reads the first page, which has this many rows. */
        public SearchBuilder page(int size) {
            return page(size, 1);
        }

        /** Reads a page by its number, 1 for the first. */
        public SearchBuilder page(int size, long number) {
            return new SearchBuilder(name, window, order, new Page.Numbered(size, number), given);
        }

        public SearchBuilder category(String category) {
            return given(CriterionKey.CATEGORY.is(category));
        }

        /** Adds a criterion to search for: an address, a detector, a port, an id. If several criteria are of one kind, the last counts. */
        public SearchBuilder given(Criterion criterion) {
            List<Criterion> all = new ArrayList<>(given);
            all.add(criterion);
            return new SearchBuilder(name, window, order, page, all);
        }

        /** Lets the user wait for the answer, however long it takes; each execution is due when Gatling reaches it. */
        @Override
        public io.gatling.core.action.builder.ActionBuilder asScala() {
            AtomicLong executions = new AtomicLong(NEXT.getAndAdd(1L << 40));
            return SiemAction.of("search", user -> {
                        LoadEngine.StartedLoad load = user.load();
                        long number = executions.getAndIncrement();
                        long now = System.nanoTime();
                        SeededRandom random = SeededRandom.of(load.plan().seed(), number);
                        Window bounds = window.window(load.draw().dataFirst(), load.dataClock.apply(now));
                        SearchDraw.SamplingRule rule = new SearchDraw.SamplingRule(Popularity.TYPICAL, LIST, random);
                        Search search = load.draw().search(name, rule, bounds, order, page, given);
                        SearchRequest request = new SearchRequest(search, now, random.nextDouble(), "");
                        Consumer<SearchRequest.SearchAnswer> then =
                                answer -> user.proceed(answer.sample().outcome() == Outcome.OK);
                        load.workers(number).submit(request, now, user, then);
                    })
                    .asScala();
        }
    }

    /**
     * An action of siemload in a Gatling scenario. Gatling's own trait for actions that leave ended loops cannot be extended from Java, so
     * its few lines are repeated here. An exception in this action never loses a user.
     */
    static final class SiemAction extends SessionHook {
        private final ScenarioContext context;
        private final SiemProtocol.Components protocol;
        private final Consumer<VirtualUser> behaviour;

        private SiemAction(String name, ScenarioContext context, Action next, Consumer<VirtualUser> behaviour) {
            // The hook's function is never called: the behaviour handles the session.
            super(null, name, context.coreComponents().statsEngine(), next);
            this.context = context;
            this.protocol = context.protocolComponentsRegistry().components(SiemProtocol.KEY);
            this.behaviour = behaviour;
        }

        /** @param behaviour handles a user, on the user's event loop; it must make sure that the user proceeds */
        static ActionBuilder of(String name, Consumer<VirtualUser> behaviour) {
            return () -> (context, next) -> new SiemAction(name, context, next, behaviour);
        }

        @Override
        public void $bang(Session session) {
            Option<BlockExit> exit = BlockExit$.MODULE$.mustExit(session);
            if (exit.isDefined()) {
                exit.get()
                        .exitBlock(
                                statsEngine(), context.coreComponents().clock().nowMillis());
            } else {
                super.$bang(session);
            }
        }

        @Override
        public void execute(Session session) {
            VirtualUser user = new VirtualUser(session);
            Breakdown.guarded(() -> user.guarded(() -> behaviour.accept(user), () -> user.proceed(false)))
                    .run();
        }

        /** What a virtual user does at planned instants. It travels in the user's Gatling session; one thread at a time uses it. */
        abstract static class DueActions {
            boolean isThere = true;
            /** When the next action is due, on {@link System#nanoTime}. */
            long dueNanos;

            /** Takes the action that is due, or leaves if the load is over by then; plans the next action and lets the user proceed. */
            abstract void act(VirtualUser user);
        }

        /** Reports the answers of one of Gatling's users at this action to Gatling. Thread-safe. */
        final class VirtualUser implements Taker {
            private final Session session;

            private VirtualUser(Session session) {
                this.session = session;
            }

            /**
             * Reports a search to Gatling, so that Gatling's report agrees with run.json: one response for each search, timed from the
             * intended start. The recorder calls this some time after the search. The delay does not matter, but waking Gatling's writer
             * for each search would cost more than a short search.
             */
            @Override
            public void take(SearchKey key, Sample sample, String message, int phase) {
                boolean ok = sample.outcome() == Outcome.OK;
                // The code comes first: Gatling cuts messages at 200 characters and groups failures by the rest.
                String failure =
                        ok ? "" : (sample.code() + " " + sample.outcome().label() + ": " + message).strip();
                long endMillis = TimeUnit.NANOSECONDS.toMillis(sample.end() + protocol.aheadNanos());
                protocol.told()
                        .get(phase)
                        .logResponse(
                                session.scenario(),
                                session.groups(),
                                protocol.labels().computeIfAbsent(key, SearchKey::label),
                                endMillis - TimeUnit.NANOSECONDS.toMillis(sample.responseNanos()),
                                endMillis,
                                ok ? OK$.MODULE$ : KO$.MODULE$,
                                Option.empty(),
                                ok ? Option.empty() : Option.apply(failure));
            }

            /** Returns the running load, which executes the searches of all users. */
            LoadEngine.StartedLoad load() {
                return protocol.engine().started();
            }

            /** Returns what the user does, as {@link #proceedWith} has set it. */
            DueActions actions() {
                return (DueActions) session.attributes().apply(DUE_ACTIONS);
            }

            void proceedWith(DueActions actions) {
                next().$bang(session.set(DUE_ACTIONS, actions));
            }

            void proceedAt(long dueNanos) {
                long now = System.nanoTime();
                if (dueNanos > now) {
                    at(dueNanos - load().early.nanos(dueNanos, now), this::proceed);
                } else {
                    proceed();
                }
            }

            /**
             * Executes a step at this instant, or at the end of the measured phase if that comes first. Linux ends a wait of an event loop
             * late, by a thousandth of the wait, so the last hundredth of a long wait is a wait of its own.
             */
            void at(long nanos, Runnable step) {
                long left = Math.min(nanos, load().clock.endNanos()) - System.nanoTime();
                if (left > LONG_WAIT_NANOS) {
                    after(() -> at(nanos, step), left - left / 100);
                } else {
                    after(step, Math.max(0, left));
                }
            }

            void proceed() {
                proceed(true);
            }

            /** Sends the user to the next action, marked as failed unless {@code ok}. */
            void proceed(boolean ok) {
                next().$bang(ok ? session : session.markAsFailed());
            }

            /** Executes a step later, on the user's event loop; does nothing once Gatling has stopped that loop. */
            void after(Runnable step, long nanos) {
                if (!session.eventLoop().isShuttingDown()) {
                    var unused = session.eventLoop().schedule(Breakdown.guarded(step), nanos, TimeUnit.NANOSECONDS);
                }
            }

            /** @param afterCrash what to do after a bug has ended the step and has been reported */
            void guarded(Runnable step, Runnable afterCrash) {
                try {
                    step.run();
                } catch (RuntimeException crash) {
                    LoggerFactory.getLogger(SiemAction.class).error("{} crashed", name(), crash);
                    String message = crash.getClass().getSimpleName() + " " + crash.getMessage();
                    statsEngine().logRequestCrash(session.scenario(), session.groups(), name(), message);
                    afterCrash.run();
                }
            }
        }
    }

    /**
     * Java's preferences without a file, which would have to be writable and would outlive the process. Java finds this class with its
     * {@code ServiceLoader}. These preferences keep Gatling from asking the internet for its newest version before the year 2100. Read-only
     * and thread-safe.
     */
    public static final class PreferencesInMemory implements PreferencesFactory {
        @Override
        public Preferences userRoot() {
            return new Node(null, "");
        }

        @Override
        public Preferences systemRoot() {
            return userRoot();
        }

        private static final class Node extends AbstractPreferences {
            Node(@Nullable Node parent, String name) {
                super(parent, name);
            }

            @Override
            protected @Nullable String getSpi(String key) {
                return key.equals("lastCheckTimestamp") ? "4102444800000" : null;
            }

            @Override
            protected String[] keysSpi() {
                return new String[0];
            }

            @Override
            protected String[] childrenNamesSpi() {
                return new String[0]; // The superclass knows the nodes that it was given.
            }

            @Override
            protected AbstractPreferences childSpi(String name) {
                return new Node(this, name);
            }

            @Override
            protected void putSpi(String key, String value) {}

            @Override
            protected void removeSpi(String key) {}

            @Override
            protected void removeNodeSpi() {}

            @Override
            protected void syncSpi() {}

            @Override
            protected void flushSpi() {}
        }
    }
}
