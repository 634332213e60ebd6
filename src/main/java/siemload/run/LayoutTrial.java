package siemload.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Sha256;
import siemload.database.Hint;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin.Abilities;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchDefinition;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.run.RunHost.ProgressBar;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.AnswerSampler.AnswerWatch;
import siemload.scenario.SearchDraw;
import siemload.scenario.SearchDraw.SamplingRule;

/**
 * Loads some events of a data set into the tables of a user's layout, and searches them with each index set and each hint of the layout.
 * All of siemload's searches are sent, but only some of them with the index sets after the first. The searches have frequent, rare and
 * absent values, and are sent in each order, page by page, as a count, and as a summary. Used by one thread.
 */
public final class LayoutTrial {
    /** The maximum number of events, which come from all parts of the data set. */
    private static final int EVENTS = 1_200;

    private static final int BATCH = 1_000;
    private static final List<Field> FIELDS = List.of(Field.values());
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The number of values of each popularity that each search gets. */
    private static final int DRAWS = 2;

    /** With the index sets after the first, only every third search is sent. */
    private static final int EACH_OF_OTHER_INDEXES = 3;

    private static final int LIST_LENGTH = 3;
    private static final int PAGE = 7;
    /** A last page of this many rows is reversed by the server, and not after it was received. */
    private static final int LARGE_PAGE = 20_000;

    private final RunHost host;
    private final RunPlan plan;
    private final Resources resources;
    private final List<SecurityEvent> events;
    /** The searches, drawn once for all variants. */
    private final List<Search> searches;
    /** The JSON of each event, by its id. */
    private final Map<String, byte[]> json = new HashMap<>();

    private long answers;
    /** A description of the last search, for people. */
    private String asked = "";
    /** The first fault in the JSON of a row; empty if there is none. */
    private Optional<String> otherEvent = Optional.empty();

    private LayoutTrial(RunHost host, RunPlan plan, Resources resources) {
        this.host = host;
        this.plan = plan;
        this.resources = resources;
        this.events = some(plan.source());
        this.searches = searches();
        IdeaWriter writer = new IdeaWriter();
        events.forEach(event -> json.put(event.id(), writer.toBytes(event)));
    }

    /**
     * Checks the layout that the settings name.
     *
     * @return {@link ExitCode#OK} if all answers are right, {@link ExitCode#MISSED} if one is wrong, which is then printed
     * @throws ConfigException if the layout is not a folder, or if its files are wrong
     * @throws siemload.database.TargetException if the server is not available, or does not accept the tables
     */
    public static ExitCode run(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            plan.refuseIf(
                    plan.variant().ownLayout().isEmpty(),
                    Property.LAYOUT,
                    "'" + plan.variant().layout()
                            + "' is one of siemload's layouts (needed: the folder of your own layout)");
            plan.refuseIf(
                    plan.asksExisting(),
                    Property.DATA,
                    "nothing is loaded into existing data, so the right answers are unknown"
                            + " (./siemload run compares the answers with each other)");
            return new LayoutTrial(host, plan, resources).run();
        }
    }

    private ExitCode run() {
        ProvidedServer server = new Opening(host, plan, resources).server();
        Abilities abilities = plan.choice().abilities();
        // The variants are each index set without a hint, and each hint with the first index set that it works with.
        List<Variant> variants = abilities.hints().stream()
                .flatMap(hint -> abilities.indexSets().stream()
                        .map(indexes -> plan.variant().with(indexes, hint))
                        .filter(variant -> hint == Hint.NONE
                                || plan.choice().plugin().refusal(variant).isEmpty())
                        .limit(hint == Hint.NONE ? Long.MAX_VALUE : 1))
                .toList();
        for (Variant variant : variants) {
            String label = "with indexes " + variant.indexes().label() + " and hint "
                    + variant.hint().label();
            Optional<String> wrong = fault(variant, label, server);
            host.line(wrong.map(what -> "WRONG " + label + ": " + what).orElse("right " + label));
            if (wrong.isPresent()) {
                return ExitCode.MISSED;
            }
        }
        String name = plan.source().name();
        String s = variants.size() == 1 ? "" : "s";
        host.line(String.format(
                Locale.ROOT,
                "%s: %,d answers of %d variant%s are right, with %,d events of %s",
                plan.variant().layout(),
                answers,
                variants.size(),
                s,
                events.size(),
                name));
        return ExitCode.OK;
    }

    private Optional<String> fault(Variant variant, String label, ProvidedServer server) {
        RunPlan tried = plan.with(variant);
        TargetOptions options = Opening.options(tried, RunPlan.OTHER_CONNECTIONS);
        try (Target target = plan.choice().plugin().connect(server.address(), options)) {
            // Data loaded for a check are not shared with other layouts or runs.
            long process = ProcessHandle.current().pid();
            String what = String.join(", ", "check-layout", variant.layout(), label, String.valueOf(process));
            String fingerprint = Sha256.fingerprint(what + plan.source().fingerprint());
            DatasetKey key = new DatasetKey(fingerprint, what, events.size());
            // Other indexes do not change the statements, but each hint has its own conditions in them.
            int apart = answers == 0 || variant.hint() != Hint.NONE ? 1 : EACH_OF_OTHER_INDEXES;
            if (answers == 0) {
                new Opening(host, tried, resources)
                        .look(target, Optional.of(key), server.address().url());
            }
            target.discard(key);
            try {
                target.load(key, load -> load.write(events), step -> {});
                try (Store store = target.copy(key, "check-layout");
                        SearchSession session = store.openSession();
                        ProgressBar bar = new ProgressBar(host, "asking " + label, searches.size(), "searches")) {
                    Optional<String> fault = Optional.empty();
                    for (int i = 0; i < searches.size() && fault.isEmpty(); i += apart) {
                        fault = fault(session, searches.get(i), FIELDS.get(i % FIELDS.size()));
                        bar.advance(Math.min(apart, searches.size() - i));
                    }
                    return fault;
                }
            } finally {
                target.discard(key);
            }
        }
    }

    private static List<SecurityEvent> some(EventSource source) {
        long step = Math.max(1, (source.count() + EVENTS - 1) / EVENTS);
        List<SecurityEvent> some = new ArrayList<>();
        source.readPart(BATCH, 0, Math.toIntExact(step), part -> part, some::addAll);
        return some;
    }

    /** Returns all of siemload's searches, with values of each popularity, over all events and over a part of the events. */
    private List<Search> searches() {
        List<Instant> times =
                events.stream().map(SecurityEvent::detectTime).sorted().toList();
        Window all = new Window(times.get(0), times.get(times.size() - 1).plusSeconds(1));
        // The window begins at one event's time and ends at another's: it contains the first, but not the second.
        Window part = new Window(times.get(times.size() / 3), times.get(times.size() * 2 / 3));
        ValuePools.Builder counted = new ValuePools.Builder();
        counted.add(events);
        SearchDraw draw = new SearchDraw(counted.build(), plan.source());
        List<Popularity> popularities = List.of(Popularity.values());
        Map<List<Criterion>, Search> byCriteria = new LinkedHashMap<>();
        for (SearchDefinition definition : draw.catalog().all()) {
            for (int n = 0; n < DRAWS * popularities.size(); n++) {
                Popularity popularity = popularities.get(n % popularities.size());
                Search drawn = draw.search(
                        definition.name(),
                        new SamplingRule(popularity, LIST_LENGTH, SeededRandom.of(plan.seed(), n)),
                        byCriteria.size() % 2 == 0 ? all : part,
                        Order.NEWEST_FIRST,
                        new Page.Whole());
                byCriteria.putIfAbsent(drawn.criteria(), whole(drawn, Optional.empty()));
            }
        }
        return List.copyOf(byCriteria.values());
    }

    private static Search whole(Search of, Optional<Summary> summary) {
        return new Search(of.name(), of.window(), of.criteria(), Order.NEWEST_FIRST, new Page.Whole(), summary);
    }

    /**
     * Sends a search in all ways, and checks its answers like those of a run. Returns the first error; empty if there is none.
     *
     * @param field the field of the search's summary
     */
    private Optional<String> fault(SearchSession session, Search whole, Field field) {
        List<Page> pages = new ArrayList<>(List.of(
                new Page.Numbered(PAGE, 1),
                new Page.Numbered(PAGE, 2),
                new Page.Numbered(PAGE, 3),
                new Page.Last(PAGE),
                new Page.Last(LARGE_PAGE)));
        if (plan.choice().abilities().pagings().contains(Paging.KEYSET)) {
            pages.add(new Page.After(PAGE, PageKey.of(events.get(events.size() / 2))));
        }
        List<Search> ways = new ArrayList<>();
        List.of(Order.values()).forEach(order -> ways.add(whole.with(order)));
        ways.add(whole.with(Window.ALWAYS));
        for (Order order : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST)) {
            pages.forEach(page -> ways.add(whole.with(order).with(page)));
        }
        if (!whole.window().isAlways()) {
            ways.add(whole(whole, Optional.of(new Summary.Timeline(field, 20))));
            ways.add(whole(whole, Optional.of(new Summary.TopList(field, 5))));
        }
        AnswerSampler sampler = new AnswerSampler(1, plan.source().until());
        try {
            for (Search way : ways) {
                take(sampler, way, SearchKey.of(way).page(), watch -> answered(session, way, watch));
            }
            take(sampler, whole, PageClass.COUNT, watch -> session.count(whole));
        } catch (SearchException failed) {
            return Optional.of(whole.name() + ": the search fails: " + failed.getMessage() + asked);
        }
        answers += sampler.answers().size();
        return AnswerCheck.firstWrong(sampler, events)
                .map(wrong -> wrong.key().label() + ": " + String.join("; ", wrong.faults()) + "\n  asked: "
                        + wrong.search() + "\n  got: " + wrong.found())
                .or(() -> otherEvent);
    }

    private void take(AnswerSampler sampler, Search search, PageClass page, ToLongFunction<AnswerWatch> asking) {
        asked = "\n  asked: " + search;
        AnswerWatch watch = sampler.watch(search, page, 0);
        watch.answered(0, 0, asking.applyAsLong(watch));
    }

    private long answered(SearchSession session, Search way, AnswerWatch watch) {
        if (way.summary().isEmpty()) {
            return session.search(way, row -> row(row, watch));
        }
        List<Summary.Line> lines = session.summarize(way, way.summary().orElseThrow());
        watch.lines(lines);
        return lines.size();
    }

    /** Takes a row. The row's JSON may be written differently from the event's JSON, as long as both mean the same. */
    private void row(RowReader.Row row, AnswerWatch watch) {
        byte[] came = row.idea();
        watch.row(row, came);
        byte[] right = json.getOrDefault(row.id(), came);
        if (otherEvent.isEmpty() && !isSame(right, came)) {
            otherEvent = Optional.of("the JSON of event " + row.id() + " differs from the event" + asked);
        }
    }

    private static boolean isSame(byte[] right, byte[] came) {
        try {
            return Arrays.equals(right, came) || JSON.readTree(right).equals(JSON.readTree(came));
        } catch (IOException noJson) {
            return false;
        }
    }
}
