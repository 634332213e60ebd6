package siemload.load;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.core.action.Action;
import io.gatling.core.protocol.Protocol;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ProtocolBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import scala.Console$;
import siemload.config.Property;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.TrendCatalog;
import siemload.query.Window;
import siemload.results.Outcome;
import siemload.run.LoadRun.Shard;
import siemload.run.RunGuard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.DrawRule;
import siemload.scenario.LoadModel;
import siemload.scenario.SearchDraw;
import siemload.scenario.WindowLength;
import siemload.scenario.rate.Rate;

/**
 * Runs a scenario file: every group of analysts becomes a Gatling population beside the feeder. A procedure is followed
 * before Gatling starts, and the process ends with it. Which scenario, on which database, is said by the properties
 * ({@code -Dscenario=hawat -Dtarget=memory ...}).
 */
public final class SiemSimulation extends Simulation {

    public SiemSimulation() {
        // Does not come back from one: Gatling has no report about a run without requests, and would crash.
        RunGuard.endWithProcedure();
        SiemProtocol siem = SiemDsl.siem();
        siem.engine().onlyAnalysts();
        List<AnalystGroup> groups = siem.engine().plan().scenario().analysts();
        List<PopulationBuilder> populations = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            if (Analysts.areHere(siem.engine().plan().shard(), groups.get(i))) {
                populations.add(Analysts.population(siem.engine(), groups.get(i), i));
            }
        }
        if (!siem.engine().plan().shard().isWhole()) {
            populations.add(Analysts.starter());
        }
        setUp(populations).protocols(siem);
    }

    /** A database under test, for a simulation's {@code protocols(...)}. Thread-safe. */
    public static final class SiemProtocol implements ProtocolBuilder {
        private final LoadEngine engine;

        private SiemProtocol(LoadEngine engine) {
            this.engine = engine;
        }

        static SiemProtocol open() {
            RunGuard.requireOneProcess();
            LoadEngine.rehearse();
            LoadEngine engine = RunGuard.open(LoadEngine::new);
            if (!engine.plan().settings().value(Property.DETAILS)) {
                silenceGatling();
            }
            return new SiemProtocol(engine);
        }

        /**
         * What Gatling prints about its own report would be the last that users read. It does so from the thread that makes the simulation, by
         * Scala.
         */
        private static void silenceGatling() {
            Console$.MODULE$.setOutDirect(
                    new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        }

        /** Warm-up and measured phase together: how long users should be kept busy. */
        public Duration duration() {
            return engine.duration();
        }

        /** Whether the measured phase is over; a condition for loops that should end with it. */
        public boolean isOver() {
            return engine.isOver();
        }

        LoadEngine engine() {
            return engine;
        }

        @Override
        public Protocol protocol() {
            return new SearchProtocol(engine);
        }
    }

    /**
     * The words for writing a Gatling simulation of one's own:
     *
     * <pre>{@code
     * import static siemload.load.SiemDsl.*;
     *
     * public class Triage extends Simulation {
     *     SiemProtocol siem = siem();
     *
     *     ScenarioBuilder triage = scenario("triage").exec(
     *             search(HAWAT1).lastDays(7).newestFirst().page(100),
     *             pause(1),
     *             search(HAWAT3).category("Recon.Scanning").last(Duration.ofHours(24)).page(100, 2));
     *
     *     { setUp(triage.injectOpen(constantUsersPerSec(2).during(siem.duration()))).protocols(siem); }
     * }
     * }</pre>
     *
     * Stateless.
     */
    public static final class SiemDsl {
        private SiemDsl() {}

        /**
         * The database, data set, feeder and phases that the properties and their scenario file describe, ready to be
         * searched. Of the scenario file's analysts only their number counts: it says how many workers there are. Does not
         * return if something is wrong: the process then ends with a message.
         */
        public static SiemProtocol siem() {
            return SiemProtocol.open();
        }

        /**
         * A search of the catalogue: newest first, over the last seven days, the first page of 100, typical values.
         *
         * @throws IllegalArgumentException for a trend, which only tasks of a scenario have stored
         */
        public static SearchBuilder search(SearchName name) {
            if (TrendCatalog.summary(name).isPresent()) {
                throw new IllegalArgumentException(name + " is a trend, which nobody asks for (allowed: "
                        + SearchCatalog.builtIn().names().byName().keySet()
                        + "; for a trend a scenario with load: scheduled)");
            }
            return SearchBuilder.of(name);
        }
    }

    /** Turns a group of analysts, or of tasks, into a Gatling population. Stateless. */
    static final class Analysts {
        private static final Duration SHORTEST_SLICE = Duration.ofMillis(100);
        private static final int MOST_SLICES = 36_000;

        private Analysts() {}

        /**
         * The population of one group.
         *
         * @param groupIndex its position in the scenario, which keeps the random numbers of groups apart
         */
        static PopulationBuilder population(LoadEngine engine, AnalystGroup group, int groupIndex) {
            long seed = SeededRandom.mix(engine.plan().seed(), groupIndex);
            if (group.load() instanceof LoadModel.Scheduled schedule) {
                return scenario(group.name())
                        .exec(byTheClock(group, schedule, seed))
                        .injectOpen(atOnceUsers(schedule.tasks()));
            }
            if (group.load() instanceof LoadModel.Replayed replayed) {
                return scenario(group.name())
                        .exec(playing(group, replayed, seed))
                        .injectOpen(atOnceUsers(1));
            }
            UserStates states = new UserStates(engine, group, seed);
            ScenarioBuilder session = scenario(group.name()).exec(searching(states, group));
            if (group.load() instanceof LoadModel.Open open) {
                return session.injectOpen(arriving(states.thereAtStart(), open.arrivals(), engine));
            }
            return session.injectOpen(atOnceUsers(engine.plan().shard().of(((LoadModel.Closed) group.load()).users())));
        }

        /** Whether any users of a group belong to a shard. */
        static boolean areHere(Shard shard, AnalystGroup group) {
            return !(group.load() instanceof LoadModel.Closed closed) || shard.of(closed.users()) > 0;
        }

        /** One who does nothing but come: the load of a shard begins at the agreed instant, whenever its first user is due. */
        static PopulationBuilder starter() {
            ActionBuilder nothing = () -> (context, next) -> {
                var unused = context.protocolComponentsRegistry().components(SearchProtocol.KEY);
                return next;
            };
            return scenario("start").exec(nothing).injectOpen(atOnceUsers(1));
        }

        /** Users are there shortly before they are due, and then wait: a late start must not make them late. */
        private static OpenInjectionStep[] arriving(int thereAtStart, Rate rate, LoadEngine engine) {
            Duration duration = engine.duration();
            Timetable timetable = Timetable.ofArrivals(0, rate);
            long slice = Math.max(SHORTEST_SLICE.toNanos(), duration.toNanos() / MOST_SLICES);
            List<OpenInjectionStep> steps = new ArrayList<>();
            steps.add(atOnceUsers(thereAtStart));
            Duration pause = Duration.ZERO;
            for (long from = 0; from < duration.toNanos(); from += slice) {
                long until = Math.min(from + slice, duration.toNanos());
                int users = Math.toIntExact(engine.plan().shard().below(timetable.dueBefore(until))
                        - engine.plan().shard().below(timetable.dueBefore(from)));
                if (users > 0) {
                    steps.add(nothingFor(pause));
                    steps.add(atOnceUsers(users));
                    pause = Duration.ZERO;
                }
                pause = pause.plusNanos(until - from);
            }
            return steps.toArray(OpenInjectionStep[]::new);
        }

        private static ActionBuilder byTheClock(AnalystGroup group, LoadModel.Scheduled schedule, long seed) {
            return () -> (context, next) -> new TaskAction(context, next, group, schedule, seed);
        }

        private static ActionBuilder playing(AnalystGroup group, LoadModel.Replayed replayed, long seed) {
            return () -> (context, next) -> new ReplayAction(context, next, group, replayed, seed);
        }

        private static ActionBuilder searching(Supplier<UserAction.User> states, AnalystGroup group) {
            return () -> (context, next) -> new UserAction(context, next, states, group);
        }

        /** The users of one group of this process, in the order in which Gatling starts them. Thread-safe. */
        static final class UserStates implements Supplier<UserAction.User> {
            private final LoadEngine engine;
            private final AnalystGroup group;
            private final UserRoster roster;
            private final AtomicInteger started = new AtomicInteger();

            /** @param seed of this group alone */
            UserStates(LoadEngine engine, AnalystGroup group, long seed) {
                this.engine = engine;
                this.group = group;
                this.roster = new UserRoster(group, seed, engine.plan().shard());
            }

            /** How many users are there at the start who came earlier; 0 where they do not come and go. */
            int thereAtStart() {
                return roster.thereAtStart();
            }

            /** The next user that Gatling starts. */
            @Override
            public UserAction.User get() {
                UserRoster.Member user = roster.member(started.getAndIncrement());
                long number = engine.plan().routing().first(group) + user.number();
                return new UserAction.User(
                        number, engine.analyst(number, user.waits(), user.start()), user.stay(), startNanos(user));
            }

            /**
             * Who arrives does so by the timetable, not when Gatling came round to it: a generator that stalls must not delay the clock,
             * too. Where several processes begin at an agreed instant, Gatling starts users before it.
             */
            private long startNanos(UserRoster.Member user) {
                long start = engine.clock().startNanos();
                if (user.arrival().isPresent() && group.load() instanceof LoadModel.Open open) {
                    return Timetable.ofArrivals(start, open.arrivals())
                            .dueNanos(user.arrival().getAsLong());
                }
                long now = System.nanoTime();
                return user.stay() == UserAction.Stay.ONE_INVESTIGATION || now - start < 0 ? start : now;
            }

            /**
             * Which users of a group this process has, in the order in which they come. The population is in its steady state from the
             * start: a fixed number of users is met amidst its work, and of users who come and go, first those are there who came before and
             * have not left. What a user does depends on its number in the group, never on which process has it. Immutable.
             */
            static final class UserRoster {
                private static final double LONGEST_WAIT = Math.nextDown(1.0);

                private final AnalystGroup group;
                private final long seed;
                private final Shard shard;
                private final List<Member> earlier;

                /** @param seed of this group alone */
                UserRoster(AnalystGroup group, long seed, Shard shard) {
                    this.group = group;
                    this.seed = seed;
                    this.shard = shard;
                    this.earlier =
                            group.load() instanceof LoadModel.Open open ? earlier(group, open, seed, shard) : List.of();
                }

                /**
                 * A user.
                 *
                 * @param number in the group, over all processes; below 0 for one who came before the start
                 * @param arrival its number among those who arrive after the start; empty where it is there at the start
                 */
                record Member(
                        long number, UserWaits waits, UserStart start, UserAction.Stay stay, OptionalLong arrival) {}

                /** Those who came by the same timetable before the start, user -1 last. */
                static List<Member> earlier(AnalystGroup group, LoadModel.Open open, long seed, Shard shard) {
                    double longestStay = group.investigation().maxActions()
                            * (group.investigation()
                                            .thinkTime()
                                            .at(LONGEST_WAIT)
                                            .toNanos()
                                    / 1e9);
                    Timetable timetable = Timetable.ofArrivals(0, open.arrivals());
                    long mayBeThere = (long) Math.ceil(-open.arrivals().dueUntil(-longestStay));
                    return LongStream.rangeClosed(1, mayBeThere)
                            .filter(user -> shard.has(-user))
                            .mapToObj(user -> {
                                UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, -user));
                                Duration before = Duration.ofNanos(-timetable.dueNanos(-user));
                                return UserStart.arrived(waits, before).map(start -> thereAtStart(-user, waits, start));
                            })
                            .flatMap(Optional::stream)
                            .toList();
                }

                private static Member thereAtStart(long number, UserWaits waits, UserStart start) {
                    return new Member(number, waits, start, UserAction.Stay.ONE_INVESTIGATION, OptionalLong.empty());
                }

                /** How many users are there at the start who came earlier; 0 where they do not come and go. */
                int thereAtStart() {
                    return earlier.size();
                }

                /** The user who comes next after so many others of this process. */
                Member member(int before) {
                    if (before < earlier.size()) {
                        return earlier.get(before);
                    }
                    long user = shard.number(before - earlier.size());
                    UserWaits waits = new UserWaits(group, SeededRandom.mix(seed, user));
                    return group.load() instanceof LoadModel.Open
                            ? new Member(
                                    user,
                                    waits,
                                    UserStart.arriving(waits),
                                    UserAction.Stay.ONE_INVESTIGATION,
                                    OptionalLong.of(user))
                            : new Member(
                                    user,
                                    waits,
                                    UserStart.amidstWork(waits),
                                    UserAction.Stay.WHOLE_RUN,
                                    OptionalLong.empty());
                }
            }
        }
    }

    /**
     * A search as an element of a Gatling chain. Every method returns a builder with one thing changed; builders are
     * immutable. Values that are not given are drawn anew for each execution from what the data set holds.
     */
    public static final class SearchBuilder implements ActionBuilder {
        private static final int DEFAULT_PAGE = 100;
        private static final int DEFAULT_LIST = 10;

        private final SearchName name;
        private WindowLength window = new WindowLength.Last(Duration.ofDays(7));
        private Order order = Order.NEWEST_FIRST;
        private Page page = new Page.Numbered(DEFAULT_PAGE, 1);
        private Popularity popularity = Popularity.TYPICAL;
        private int listLength = DEFAULT_LIST;
        private List<Criterion> given = List.of();

        private SearchBuilder(SearchName name) {
            this.name = name;
        }

        static SearchBuilder of(SearchName name) {
            return new SearchBuilder(name);
        }

        /** Another one with something changed; this one stays as it is. */
        private SearchBuilder with(Consumer<SearchBuilder> change) {
            SearchBuilder copy = new SearchBuilder(name);
            copy.window = window;
            copy.order = order;
            copy.page = page;
            copy.popularity = popularity;
            copy.listLength = listLength;
            copy.given = given;
            change.accept(copy);
            return copy;
        }

        /** Looks at the last days before now, in the time of the data. */
        public SearchBuilder lastDays(int days) {
            return last(Duration.ofDays(days));
        }

        /** Looks at the last so-and-so long before now, in the time of the data. */
        public SearchBuilder last(Duration length) {
            return with(copy -> copy.window = new WindowLength.Last(length));
        }

        /** Looks at the whole data set. */
        public SearchBuilder everything() {
            return with(copy -> copy.window = new WindowLength.Everything());
        }

        /** Reads the newest events first. */
        public SearchBuilder newestFirst() {
            return with(copy -> copy.order = Order.NEWEST_FIRST);
        }

        /** Reads the oldest events first. */
        public SearchBuilder oldestFirst() {
            return with(copy -> copy.order = Order.OLDEST_FIRST);
        }

        /** Reads the first page, of this many rows. */
        public SearchBuilder page(int size) {
            return page(size, 1);
        }

        /** Reads a page by its number, 1 for the first. */
        public SearchBuilder page(int size, long number) {
            return with(copy -> copy.page = new Page.Numbered(size, number));
        }

        /** Reads the whole result. */
        public SearchBuilder whole() {
            return with(copy -> copy.page = new Page.Whole());
        }

        /** Draws the values to look for from those as popular as this. */
        public SearchBuilder values(Popularity popular) {
            return with(copy -> copy.popularity = popular);
        }

        /** Gives a search for a list one of this many addresses, 1 or more. */
        public SearchBuilder listLength(int addresses) {
            return with(copy -> copy.listLength = addresses);
        }

        /**
         * Looks for this address, network or range, on the sides that the search looks at: {@code 192.0.2.7}, {@code
         * 192.0.2.0/24}, {@code 192.0.2.1-192.0.2.9}.
         */
        public SearchBuilder address(String text) {
            return given(new Criterion.AddressFigured(List.of(AddressRange.parse(text))));
        }

        /** Looks for this category. */
        public SearchBuilder category(String category) {
            return given(new Criterion.CategoryIs(category));
        }

        /** Looks for this detector, by its node name. */
        public SearchBuilder detector(String nodeName) {
            return given(new Criterion.DetectorIs(nodeName));
        }

        /** Looks for this transport port, on the side that the search looks at. */
        public SearchBuilder port(int port) {
            return given(new Criterion.PortUsed(port));
        }

        /** Looks for the event with this id. */
        public SearchBuilder id(String id) {
            return given(new Criterion.IdIs(id));
        }

        private SearchBuilder given(Criterion criterion) {
            List<Criterion> all = new ArrayList<>(given);
            all.removeIf(other -> other.getClass().equals(criterion.getClass()));
            all.add(criterion);
            return with(copy -> copy.given = List.copyOf(all));
        }

        @Override
        public io.gatling.core.action.builder.ActionBuilder asScala() {
            return (context, next) -> new SearchAction(context, next, this);
        }

        /** The request for one execution, due now. */
        SearchRequest request(SearchDraw draw, DataClock dataClock, SeededRandom random) {
            long now = System.nanoTime();
            Window bounds = window.window(draw.dataFirst(), dataClock.at(now));
            return new SearchRequest(
                    draw.search(name, new DrawRule(popularity, listLength, random), bounds, order, page, given),
                    draw.catalog().get(name).summary().isPresent() ? PageClass.SUMMARY : page.pageClass(),
                    now,
                    random.nextDouble());
        }

        /** Runs one search of a simulation's own; the user waits for the answer, however long it takes. */
        private static final class SearchAction extends GatlingAction {
            private final SearchBuilder search;
            private final AtomicLong executions = new AtomicLong();

            SearchAction(ScenarioContext context, Action next, SearchBuilder search) {
                super("search", context, next);
                this.search = search;
            }

            @Override
            void perform(Session session) {
                long number = executions.getAndIncrement();
                SeededRandom random = SeededRandom.of(engine().plan().seed(), number);
                SearchRequest request = search.request(engine().draw(), engine().dataClock(), random);
                engine().workers(number).submit(request, request.intendedStart(), log().of(session), answer -> {
                    proceed(answer.sample().outcome() == Outcome.OK ? session : session.markAsFailed());
                });
            }
        }
    }
}
