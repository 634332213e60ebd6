package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Sha256;
import siemload.database.Abilities;
import siemload.database.DatasetLoad;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.DayRemoval;
import siemload.database.Target;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts.MissingFiles;
import siemload.database.TargetPlugins;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ExistingValues;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.Search;
import siemload.query.ValueField;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.ExistingDatabase.ServerStart;
import siemload.run.RunHost.ProgressBar;
import siemload.run.layout.LayoutCheck;
import siemload.run.layout.LayoutQuestions;
import siemload.scenario.ResolvedScenario;

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
        LayoutQuestions questions = questions();
        ProvidedServer server = new ServerStart(host, plan, resources).start();
        host.status("");
        for (Variant variant : tried()) {
            Optional<String> wrong = check(variant, server, questions);
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

    private Optional<String> check(Variant variant, ProvidedServer server, LayoutQuestions questions) {
        RunPlan tried =
                new RunPlan(plan.settings(), plan.resolved(), plan.choice().with(variant), plan.source());
        TargetPlugin plugin = plan.choice().plugin();
        try (Target target = plugin.connect(server.address(), RunSetup.options(tried, RunPlan.OTHER_CONNECTIONS))) {
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
                    return check(store, variant, questions);
                }
            } finally {
                target.discard(key);
            }
        }
    }

    private Optional<String> check(Store store, Variant variant, LayoutQuestions questions) {
        Optional<String> wrong = LayoutCheck.feed(store, loaded, fed);
        if (wrong.isPresent()) {
            return wrong;
        }
        String label = "asking with indexes " + variant.indexes().label() + ", hint "
                + variant.hint().label();
        try (ProgressBar bar = new ProgressBar(host, label, questions.size(), "answers")) {
            wrong = LayoutCheck.check(store, questions, bar::advance);
        }
        answers += questions.size();
        return wrong.or(() -> variants == 0 ? removeDay(store) : Optional.empty());
    }

    /** No index and no hint makes a difference to it, so that it is tried once. */
    private Optional<String> removeDay(Store store) {
        Optional<DayRemoval> removal = store.dayRemoval();
        Window day = RetentionOffer.firstDay(plan.source());
        List<SecurityEvent> all = new ArrayList<>(loaded);
        all.addAll(fed);
        if (removal.isEmpty() || all.stream().noneMatch(event -> day.contains(event.detectTime()))) {
            return Optional.empty();
        }
        Optional<String> wrong = LayoutCheck.removeDay(store, removal.orElseThrow(), day, all);
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

    /** The reference has all events loaded, which makes no difference to any answer. */
    private LayoutQuestions questions() {
        host.status("asking the reference");
        TargetPlugin memory = TargetPlugins.find("memory").orElseThrow();
        Abilities abilities = plan.choice().abilities();
        Variant variant = new Variant(
                memory.abilities().layouts().get(0),
                IndexSet.NONE,
                Hint.NONE,
                plan.variant().paging());
        RunPlan reference = new RunPlan(
                plan.settings(),
                plan.resolved(),
                new TargetChoice(memory, variant, plan.choice().provision()),
                plan.source());
        List<SecurityEvent> all = new ArrayList<>(loaded);
        all.addAll(fed);
        DatasetKey key = new DatasetKey(Sha256.fingerprint("check-layout"), "check-layout", all.size());
        try (Target target =
                memory.connect(new ServerAddress("", "", ""), RunSetup.options(reference, RunPlan.OTHER_CONNECTIONS))) {
            try (DatasetLoad load = target.load(key)) {
                load.write(all);
                load.finish(step -> {});
            }
            try (Store store = target.copy(key, "check-layout");
                    SearchSession session = store.openSession()) {
                return LayoutQuestions.about(all, Set.copyOf(abilities.pagings()), session);
            }
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

    /** Whether a target and a data set have what retention needs, before any server is touched. Stateless. */
    static final class RetentionOffer {

        private RetentionOffer() {}

        /** @throws ConfigException if the target removes no days, or no other day would be left */
        static void require(ResolvedScenario resolved, TargetChoice choice, EventSource source) {
            if (resolved.scenario().retention().isEmpty()) {
                return;
            }
            Origin origin = resolved.origin("retention.after");
            choice.require(
                    Offer.DAY_REMOVAL,
                    origin,
                    "target %s removes no days while others search (allowed: %s; or leave retention out)");
            if (!firstDay(source).until().isBefore(source.until())) {
                throw new ConfigException(
                        origin,
                        "the data set " + source.name()
                                + " has no other day than its first one, which new events belong to"
                                + " (give one of several days)");
            }
        }

        /** From midnight to midnight in UTC. */
        static Window firstDay(EventSource source) {
            Instant midnight = source.first().truncatedTo(ChronoUnit.DAYS);
            return new Window(midnight, midnight.plus(Duration.ofDays(1)));
        }
    }

    /**
     * Whether a layout for searches alone has a file for all that the searches of a run need: looked at with values that are made up
     * before the database is known, and once more with its own. Stateless.
     */
    static final class LayoutSearches {
        /** One of each family: the events that a layout is for may have addresses of one of them alone. */
        private static final List<String> ADDRESSES = List.of("192.0.2.1", "2001:db8::1");

        private static final EventSource SOME_EVENTS =
                ExistingData.of(1, Instant.EPOCH, Instant.EPOCH.plus(Duration.ofDays(30)), List.of());

        private LayoutSearches() {}

        /**
         * Refuses what cannot be asked whatever is in the database.
         *
         * @throws siemload.config.ConfigException with each search that the layout lacks something for, and what
         */
        static void require(RunPlan plan) {
            if (plan.asksStatements()) {
                return;
            }
            plan.choice().missingFiles().ifPresent(files -> {
                Map<String, String> lacks = lacks(files, madeUp(plan, ADDRESSES.get(0)));
                lacks.keySet()
                        .retainAll(lacks(files, madeUp(plan, ADDRESSES.get(1))).keySet());
                refuse(plan, lacks);
            });
        }

        /**
         * Refuses what cannot be asked.
         *
         * @param searches several of each kind, for values of the database
         * @throws siemload.config.ConfigException as {@link #require(RunPlan)}
         */
        static void require(RunPlan plan, Map<SearchKey, List<Search>> searches) {
            plan.choice().missingFiles().ifPresent(files -> refuse(plan, lacks(files, searches)));
        }

        /** Searches such as those of the run in a database of which all addresses are this one. */
        private static Map<SearchKey, List<Search>> madeUp(RunPlan plan, String address) {
            List<CountedValue> values = List.of(new CountedValue(address, 1, Map.of(ValueField.PORT, "443")));
            ExistingValues known = new ExistingValues(
                    Map.of(ValueField.ADDRESS, values, ValueField.SOURCE, values, ValueField.TARGET, values));
            return SearchKinds.various(
                    plan.scenario(),
                    plan.on(SOME_EVENTS).searchDraw(known.pools()),
                    plan.variant().paging(),
                    SOME_EVENTS.until(),
                    plan.seed());
        }

        /** The first block that is missing for each kind of search, by the kind. */
        private static Map<String, String> lacks(MissingFiles files, Map<SearchKey, List<Search>> searches) {
            Map<String, String> lacks = new LinkedHashMap<>();
            searches.forEach((kind, examples) -> examples.forEach(search ->
                    files.first(search, kind.page()).ifPresent(file -> lacks.putIfAbsent(kind.label(), file))));
            return lacks;
        }

        private static void refuse(RunPlan plan, Map<String, String> lacks) {
            Problems problems = new Problems();
            lacks.forEach((search, file) -> problems.add(
                    plan.settings().origin(Property.LAYOUT),
                    search + " cannot be asked by the layout " + plan.variant().layout() + ": it has no block " + file
                            + " (write it, or leave the search out)"));
            problems.throwIfAny();
        }
    }
}
