package siemload.run.procedure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.results.SearchKey;
import siemload.results.StepRecord;
import siemload.scenario.CacheState;
import siemload.scenario.Ingest;
import siemload.scenario.Ingest.Deployment;
import siemload.scenario.Ingest.Turns;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Indexing;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.SearchDraw;
import siemload.scenario.WindowLength;

/** Follows procedures. Stateless and thread-safe. */
public final class Procedures {
    private Procedures() {}

    /**
     * Does everything that the procedure says, or ends early where that is asked for.
     *
     * @throws siemload.database.TargetException if the server breaks down
     */
    public static void follow(Procedure procedure, ProcedureContext context) {
        try {
            steps(procedure, context).run();
        } catch (Interruption.Interrupted asked) {
            // What was measured so far is in the log.
        } catch (SearchException failed) {
            if (!context.interruption().isAsked()) {
                throw new TargetException("what no step can do without failed: " + failed.getMessage(), failed);
            }
        }
    }

    private static Runnable steps(Procedure procedure, ProcedureContext context) {
        if (procedure instanceof Procedure.Load load) {
            return new LoadSteps(load, context);
        } else if (procedure instanceof Transactions transactions) {
            return new TransactionSteps(transactions, context);
        } else if (procedure instanceof Ingest ingest) {
            return new IngestSteps(ingest, context);
        } else if (procedure instanceof Procedure.Feed feed) {
            return FeedSteps.of(feed, context);
        } else if (procedure instanceof Procedure.Noisy noisy) {
            return new NoisyNeighbourSteps(noisy, context);
        } else if (procedure instanceof Procedure.Jobs jobs) {
            return new JobSteps(jobs, context);
        }
        return searchSteps((Procedure.Searching) procedure, context);
    }

    /** Those of a procedure that searches over one connection. */
    private static Runnable searchSteps(Procedure.Searching procedure, ProcedureContext context) {
        ProcedureSearches searches = context.searches(procedure.searchSet());
        MeasuredSession session = new MeasuredSession(context);
        if (procedure instanceof Procedure.Depth depth) {
            return new DepthSteps(depth, context, searches, session);
        } else if (procedure instanceof Procedure.FollowUps followUps) {
            return new FollowUpSteps(followUps, context, searches, session);
        } else if (procedure instanceof Procedure.Certificate certificate) {
            return new CertificateSteps(certificate, context, searches, session);
        }
        return new ReadSteps((Procedure.Read) procedure, context, searches, session);
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        Map<SearchKey, Search> examples = new TreeMap<>();
        if (procedure instanceof Procedure.Searching asked) {
            ProcedureSearches searches = ProcedureSearches.of(asked.searchSet(), draw, until, seed);
            asked.orders().forEach(order -> examples.putAll(searches.examples(order, asked.page())));
        }
        return examples;
    }

    /** Reads results, search by search: the whole result or its first page, in a declared state of the caches. */
    private record ReadSteps(
            Procedure.Read procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session)
            implements Runnable {
        @Override
        public void run() {
            try (session) {
                for (SearchName name : procedure.searchSet().searches()) {
                    Search search = searches.search(name, procedure.order(), procedure.page());
                    for (int pass = 1; pass <= procedure.passes(); pass++) {
                        context.interruption().check();
                        context.status("reading %s, pass %d of %d", name, pass, procedure.passes());
                        context.steps().add(read(search, pass));
                    }
                }
            }
        }

        private StepRecord read(Search search, int pass) {
            Step step = new Step(search.name().name())
                    .search(search)
                    .caches(procedure.caches())
                    .fact("pass", pass);
            if (context.draw().catalog().get(search.name()).hasList()) {
                step.fact("listLength", procedure.searchSet().listLength());
            }
            return context.attempt(step, () -> read(search, pass, step)).done();
        }

        private void read(Search search, int pass, Step step) {
            prepare(search, pass);
            TimedSearch timed = session.read(search, step);
            double counting = procedure.counting() == Counting.EXACT ? count(search, step) : 0;
            step.figure("totalMicros", timed.lastEventMicros() + counting);
            if (procedure.counting() == Counting.EXACT) {
                step.figure("countFactor", (timed.lastEventMicros() + counting) / timed.lastEventMicros());
            }
            context.planShape(search).ifPresent(shape -> step.fact("planShape", shape));
        }

        /** What is hot was read once before; what is cold is made so before every pass. */
        private void prepare(Search search, int pass) {
            session.prepare(procedure.caches());
            if (procedure.caches() == CacheState.HOT && pass == 1) {
                TimedSearch.read(search, session.get());
            }
        }

        private double count(Search search, Step step) {
            long start = System.nanoTime();
            session.get().count(search);
            double micros = (System.nanoTime() - start) / 1e3;
            step.figure("countMicros", micros);
            return micros;
        }
    }

    /**
     * Inserts events as fast as it goes, then reads first pages: what indexes cost and give, or what it takes to search for what the
     * server's statistics know nothing of.
     */
    private record FeedSteps(
            Procedure.Feed procedure, ProcedureContext context, NewEvents events, ProcedureSearches searches)
            implements Runnable {
        static FeedSteps of(Procedure.Feed procedure, ProcedureContext context) {
            NewEvents events = procedure.searchSet().window() instanceof WindowLength.Last last
                    ? new NewEvents(context.source(), last.length(), procedure.events())
                    : NewEvents.everyMillisecond(context.source(), procedure.events());
            return new FeedSteps(procedure, context, events, context.searches(procedure.searchSet(), events.until()));
        }

        @Override
        public void run() {
            context.status("inserting %,d events", procedure.events());
            try {
                Step fed = new Feeding(context, events, procedure.batch(), procedure.connections()).feed();
                context.steps().add(fed.done());
            } catch (SearchException failure) {
                context.interruption().check();
                context.steps().add(new Step("feed").failed(failure).done());
            }
            if (procedure.statistics() == Statistics.FRESH) {
                long start = System.nanoTime();
                context.store().maintenance().ifPresent(store -> store.gatherStatistics());
                context.steps()
                        .add(new Step("statistics")
                                .figure("seconds", (System.nanoTime() - start) / 1e9)
                                .done());
            }
            try (MeasuredSession session = new MeasuredSession(context)) {
                for (SearchName name : procedure.searchSet().searches()) {
                    context.interruption().check();
                    context.progress().status("reading " + name);
                    switch (procedure.values()) {
                        case OTHER_VALUES -> readOthers(name, session);
                        case SAME_VALUES -> readSame(name, session);
                    }
                }
            }
        }

        private void readOthers(SearchName name, MeasuredSession session) {
            Page page = procedure.page();
            Search first = searches.search(name, procedure.order(), page);
            Step step = new Step(name.name()).search(first).fact("passes", procedure.passes());
            context.attempt(step, () -> {
                LatencySamples times = new LatencySamples();
                long rows = 0;
                for (int pass = 0; pass < procedure.passes(); pass++) {
                    context.interruption().check();
                    Search search = searches.search(name, pass, procedure.order(), page);
                    TimedSearch read = TimedSearch.read(search, session.get());
                    times.add(read.lastEventMicros());
                    rows += read.rows();
                }
                step.figure("p50Micros", times.percentile(50))
                        .figure("p95Micros", times.percentile(95))
                        .figure("rows", rows);
                context.planShape(first).ifPresent(shape -> step.fact("planShape", shape));
            });
            context.steps().add(step.done());
        }

        /** Its plan is that of the statistics by then. */
        private void readSame(SearchName name, MeasuredSession session) {
            Search search = searches.search(name, procedure.order(), procedure.page());
            List<Step> steps = new ArrayList<>();
            for (int pass = 1; pass <= procedure.passes(); pass++) {
                context.interruption().check();
                Step step = new Step(name.name())
                        .search(search)
                        .fact("pass", pass)
                        .fact("statistics", Choices.camelCase(procedure.statistics()));
                steps.add(context.attempt(step, () -> session.read(search, step)));
            }
            if (search.summary().isEmpty()) {
                Step last = steps.get(steps.size() - 1);
                context.attempt(last, () -> {
                    String shape = session.get().explain(search).shape();
                    steps.forEach(step -> step.fact("planShape", shape));
                });
            }
            steps.forEach(step -> context.steps().add(step.done()));
        }
    }

    /**
     * Finds out what must be the same in every run of a variant on the same data: the answers, the plans, the blocks that were
     * needed, and the log of inserts. One thing after the other over one connection, so that nothing depends on time.
     */
    private record CertificateSteps(
            Procedure.Certificate procedure,
            ProcedureContext context,
            ProcedureSearches searches,
            MeasuredSession session)
            implements Runnable {
        private static final long DEEPER_PAGE = 2;

        @Override
        public void run() {
            try (session) {
                for (SearchName name : procedure.searchSet().searches()) {
                    for (Order order : orders(name)) {
                        for (int draw = 0; draw < procedure.draws(); draw++) {
                            context.status("certifying %s, values %d", name, draw + 1);
                            certify(name, order, draw);
                        }
                    }
                }
            }
            context.interruption().check();
            feed();
        }

        /** What is summed up has no order of its own. */
        private List<Order> orders(SearchName name) {
            return context.draw().catalog().get(name).summary().isPresent()
                    ? List.of(Order.NEWEST_FIRST)
                    : procedure.orders();
        }

        private void certify(SearchName name, Order order, int draw) {
            Search search = searches.search(name, draw, order, procedure.page());
            PageTurner turner = new PageTurner(
                    search, context.variant().paging(), procedure.pageSize(), DEEPER_PAGE * procedure.pageSize());
            long rows = page(search, turner, 1, draw);
            if (rows == procedure.pageSize() && search.summary().isEmpty()) {
                page(search, turner, DEEPER_PAGE, draw);
            }
        }

        /** Certifies one page. @return how many rows it has */
        private long page(Search search, PageTurner turner, long number, int draw) {
            context.interruption().check();
            Step step = new Step(name(search, number, draw)).search(search).depth(number);
            try {
                session.startCounting();
                TimedSearch page = turner.read(number, session.get());
                session.blocksSinceStart()
                        .ifPresent(blocks -> step.figure("blocksTouched", blocks.reads() + blocks.hits()));
                step.fact("answersHash", page.answersHash())
                        .figure("rows", page.rows())
                        .figure("bytes", page.bytes());
                if (search.summary().isEmpty()) {
                    turner.plan(number, session.get())
                            .map(Plan::shape)
                            .ifPresent(shape -> step.fact("planShape", shape));
                }
                context.steps().add(step.done());
                return page.rows();
            } catch (SearchException failure) {
                context.interruption().check();
                context.steps().add(step.failed(failure).done());
                return 0;
            }
        }

        private String name(Search search, long number, int draw) {
            String order = search.order() == Order.OLDEST_FIRST ? " oldest first" : "";
            return String.format(Locale.ROOT, "%s%s page %d values %d", search.name(), order, number, draw + 1);
        }

        /**
         * The log of the first change of a page holds the whole page, once after each checkpoint: a checkpoint right before
         * lets all pages be in it, whenever the last one was.
         */
        private void feed() {
            context.progress().status("certifying inserts");
            NewEvents events = NewEvents.everyMillisecond(context.source(), procedure.events());
            Step step = new Step("feed").fact("batch", procedure.batch()).figure("rows", procedure.events());
            try {
                context.attempt(step, () -> {
                    context.store().maintenance().ifPresent(store -> store.checkpoint());
                    new Feeding(context, events, procedure.batch(), 1)
                            .logBytesPerEvent()
                            .ifPresent(bytes -> step.figure("walBytesPerEvent", bytes));
                });
            } catch (TargetException refused) {
                context.progress().line("the log of inserts is not certified: " + refused.getMessage());
            }
            context.steps().add(step.done());
        }
    }

    /**
     * Loads the data set into an empty store, deletes it, and loads it again: what is left of earlier cycles in the store's files shows in
     * later ones.
     */
    private record LoadSteps(Procedure.Load procedure, ProcedureContext context) implements Runnable {
        @Override
        public void run() {
            WholeStore store = WholeStore.of(context);
            boolean before = procedure.indexing() == Indexing.BEFORE;
            store.generate();
            if (before) {
                store.prepareIndexes();
            }
            for (int cycle = 1; cycle <= procedure.cycles(); cycle++) {
                String place = String.format(Locale.ROOT, "cycle %d of %d", cycle, procedure.cycles());
                double seconds = store.load(cycle, "loading, " + place);
                store.total(cycle, before ? seconds : seconds + store.buildIndexes(cycle));
                store.sizes(cycle);
                if (!before && cycle < procedure.cycles()) {
                    store.dropIndexes();
                }
                if (before || cycle < procedure.cycles()) {
                    store.delete(cycle, "deleting, " + place);
                }
            }
        }
    }

    /**
     * Has each server take the whole data set as fast as it can, then asks each of them for searches of every class, and says what tiers of
     * deployment that is enough for.
     */
    record IngestSteps(Ingest procedure, ProcedureContext context) implements Runnable {
        private static final String RATE = "kilobytesPerSecond";

        @Override
        public void run() {
            context.progress().status("choosing values by how many events have them");
            MatchedSearches searches = MatchedSearches.choose(procedure, context);
            WholeStore.of(context).generate();
            List<IngestServer> servers = new ArrayList<>();
            for (int number = 1; number <= procedure.servers(); number++) {
                servers.add(new IngestServer(number, procedure, context.onServer(number)));
            }
            List<StepRecord> taken = onAll(servers, IngestServer::ingest);
            for (Map.Entry<MatchClass, SearchName> one : procedure.matching().entrySet()) {
                for (int pass = 1; pass <= procedure.passes(); pass++) {
                    int now = pass;
                    List<StepRecord> unused =
                            onAll(servers, server -> server.search(one.getKey(), one.getValue(), searches, now));
                }
            }
            addTiers(taken);
            servers.stream()
                    .flatMap(server -> server.broken().stream())
                    .findFirst()
                    .ifPresent(broken -> {
                        throw broken;
                    });
        }

        /** Does a step on each server that has not broken down, and adds them in the order of the servers. */
        private List<StepRecord> onAll(List<IngestServer> servers, Function<IngestServer, StepRecord> step) {
            context.interruption().check();
            List<IngestServer> able =
                    servers.stream().filter(server -> server.broken().isEmpty()).toList();
            StepRecord[] done = new StepRecord[able.size()];
            List<Runnable> work = new ArrayList<>();
            for (int i = 0; i < able.size(); i++) {
                int place = i;
                work.add(() -> done[place] = step.apply(able.get(place)));
            }
            if (procedure.turns() == Turns.TOGETHER && able.size() > 1) {
                ParallelTasks.run("server", work);
            } else {
                work.forEach(Runnable::run);
            }
            // Where this thread is interrupted, some are not done.
            List<StepRecord> steps =
                    Arrays.stream(done).filter(Objects::nonNull).toList();
            steps.forEach(context.steps()::add);
            return steps;
        }

        /** By the slowest server; nothing is said where one is missing. */
        private void addTiers(List<StepRecord> taken) {
            if (taken.size() < procedure.servers() || taken.stream().anyMatch(StepRecord::failed)) {
                return;
            }
            StepRecord slowest = taken.stream()
                    .min(Comparator.comparingDouble(step -> figure(step, RATE)))
                    .orElseThrow();
            DeploymentTier.Measured one = new DeploymentTier.Measured(
                    figure(slowest, RATE),
                    figure(slowest, "rawBytesPerEvent"),
                    figure(slowest, "bytes") / figure(slowest, "events"));
            for (DeploymentTier tier : DeploymentTier.values()) {
                context.steps().add(tier.step(one, procedure.deployment()));
            }
        }

        private static double figure(StepRecord step, String name) {
            return step.figures().getOrDefault(name, 0.0);
        }

        /**
         * The four deployments that the white paper "Nimble Storage for Splunk" (2015) names, by their volume a day and the servers that index
         * it. The numbers are the upper ends of what it says; of the last tier, "300GB to many TBs" and "several dozen indexers", they are ours.
         */
        enum DeploymentTier {
            DEPARTMENTAL("departmental", 20, 1),
            SMALL_ENTERPRISE("small enterprise", 100, 3),
            MEDIUM_ENTERPRISE("medium enterprise", 300, 5),
            LARGE_ENTERPRISE("large enterprise", 5_000, 36);

            private static final double SECONDS_OF_DAY = 86_400;
            private static final double KILOBYTES_OF_GIGABYTE = 1_000_000;
            private static final double BYTES_OF_KILOBYTE = 1_000;

            private final String words;
            private final double gigabytesPerDay;
            private final int servers;

            DeploymentTier(String words, double gigabytesPerDay, int servers) {
                this.words = words;
                this.gigabytesPerDay = gigabytesPerDay;
                this.servers = servers;
            }

            /**
             * What one server was measured to do.
             *
             * @param kilobytesPerSecond of raw events, over all that it took
             * @param rawBytesPerEvent as IDEA JSON
             * @param diskBytesPerEvent of tables and indexes; 0 where the server does not tell
             */
            record Measured(double kilobytesPerSecond, double rawBytesPerEvent, double diskBytesPerEvent) {}

            /** What the tier asks of all its servers together, and how many like the measured one it takes. */
            StepRecord step(Measured one, Deployment deployment) {
                double average = gigabytesPerDay * KILOBYTES_OF_GIGABYTE / SECONDS_OF_DAY;
                double peak = average * deployment.peakFactor();
                double eventsOfKilobyte = BYTES_OF_KILOBYTE / one.rawBytesPerEvent();
                long needed = (long) Math.ceil(peak / one.kilobytesPerSecond());
                double days = deployment.retention().toSeconds() / SECONDS_OF_DAY;
                Step step = new Step("tier " + words)
                        .fact("tier", words)
                        .fact("tierServers", servers)
                        .fact("reached", reached(needed))
                        .figure("gigabytesPerDay", gigabytesPerDay)
                        .figure("averageKilobytesPerSecond", average)
                        .figure("averageEventsPerSecond", average * eventsOfKilobyte)
                        .figure("peakKilobytesPerSecond", peak)
                        .figure("peakEventsPerSecond", peak * eventsOfKilobyte)
                        .figure("retainedDays", days)
                        .figure("serversNeeded", needed);
                if (one.diskBytesPerEvent() > 0) {
                    step.figure(
                            "diskGigabytes", gigabytesPerDay * days * one.diskBytesPerEvent() / one.rawBytesPerEvent());
                }
                return step.done();
            }

            private String reached(long needed) {
                if (needed == 1) {
                    return "by this server alone";
                }
                if (needed <= servers) {
                    return "by " + needed + " servers";
                }
                return servers == 1 ? "no" : "not by " + servers + " servers";
            }
        }
    }
}
