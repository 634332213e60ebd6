package siemload.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.query.Page;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.StatementText;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Items;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Orders;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Step;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.StatementValues.Range;

/**
 * Reads what a scenario does step by step, and puts the settings that override it into its place. Reads one procedure.
 *
 * @param records reads the values that only scenarios have
 * @param catalog the searches that it may ask
 * @param directory of the scenario, beside which files of values lie
 */
record ProcedureReader(
        YamlNode node,
        YamlRecords records,
        Settings settings,
        ScenarioReader.ValueLog log,
        Problems problems,
        SearchCatalog catalog,
        Path directory) {
    private static final ValueType<Integer> TIMES = ValueType.wholeNumber(1, 10_000);
    private static final ValueType<Integer> SERVERS = ValueType.wholeNumber(1, 64);
    private static final ValueType<Long> NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    /** How statements of a setup may begin: what a file may do to the run's own tables, and nothing that reaches beyond them. */
    private static final String SETUP =
            "create table, create unlogged table, create index, create unique index, alter table,"
                    + " insert into, update, analyze, vacuum";

    /** The same of all other ones. */
    private static final String STATEMENT = "select, insert into, update, delete from, merge into, with";

    private static final Map<Property<?>, String> KEYS = Map.of(
            Property.USERS, "users",
            Property.WARMUP, "warmup",
            Property.DURATION, "duration");
    private static final List<Property<?>> OF_ANALYSTS = List.of(Property.EPS, Property.ARRIVALS, Property.WORKERS);

    /** What can stand in the list of steps. */
    private enum Kind {
        READ,
        PAGE,
        LOAD,
        FEED,
        USERS
    }

    record Steps(@Key(filled = true) List<Kind> steps) {
        Steps {
            boolean twice = new HashSet<>(steps).size() < steps.size();
            boolean beside = steps.contains(Kind.USERS) && steps.size() > 1;
            Procedure.require(!twice, "steps", "has a step twice (remove one)");
            Procedure.require(!beside, "steps", "has users beside other steps (remove one of them)");
            Procedure.require(
                    steps.indexOf(Kind.LOAD) <= 0,
                    "steps",
                    "has a load that is not the first step, into a store that is not empty");
        }

        boolean haveAny(Kind... kinds) {
            return Stream.of(kinds).anyMatch(steps::contains);
        }
    }

    /** One whose parts go together. */
    record Sound(@Inline Procedure procedure) {
        Sound {
            boolean pages = procedure.steps().stream().anyMatch(Pages.class::isInstance);
            boolean follows = procedure.steps().stream()
                    .anyMatch(one -> one instanceof Read read && !read.changes().isEmpty());
            boolean emptied = procedure.caches() == CacheState.COLD || procedure.caches() == CacheState.LUKEWARM;
            Procedure.require(
                    procedure.servers() == 1 || !(follows || emptied),
                    "servers",
                    "caches are emptied, and follow-ups are asked, on one server (give 1)");
            Procedure.require(
                    !(follows && procedure.caches() == CacheState.HOT),
                    "caches",
                    "hot leaves no search that is asked first (allowed: asFound, cold, lukewarm)");
            procedure.asked().ifPresent(asked -> {
                boolean isUnsorted = asked.orders() == Orders.UNSORTED;
                boolean isBoth = asked.orders() == Orders.BOTH;
                boolean isPaged = pages || procedure.steps().get(0) instanceof Items;
                Procedure.require(
                        !(follows && isUnsorted), "order", "unsorted has no first row, which follow-ups begin with");
                Procedure.require(pages || !isBoth, "order", "both is for steps: [page] (give one of them)");
                Procedure.require(
                        !(asked.page() instanceof Page.Whole && isPaged),
                        "page",
                        "whole is for steps: [read] (write for example {size: 100})");
            });
        }
    }

    private record Size(@Key(allowed = "1 to 10000000") int size) {}

    ProcedureReader {
        records.with("listing", ValueType.choice(catalog.listing()))
                .reading(
                        Page.class,
                        page -> page.isMapping()
                                ? records.record(page, Size.class).map(read -> new Page.Numbered(read.size(), 1))
                                : records.value(page, ResultReading.WHOLE).map(whole -> new Page.Whole()))
                .reading(
                        Depths.class,
                        depths -> depths.isList()
                                ? records.record(node, Depths.Listed.class)
                                : records.value(depths, ValueType.choice(Choices.camelCase(Depths.Walk.class))));
    }

    Optional<Procedure> read() {
        records.reading(Procedure.class, whole -> parts());
        return records.record(node, Sound.class).map(Sound::procedure);
    }

    private Optional<Procedure> parts() {
        Optional<Steps> written = records.record(node, Steps.class);
        if (written.isEmpty()) {
            // Which keys are wrong depends on the steps: without them none is refused.
            Map<String, YamlNode> unused = node.entries();
            return Optional.empty();
        }
        Steps steps = written.get();
        boolean reads = steps.haveAny(Kind.READ, Kind.PAGE);
        boolean transacts =
                steps.haveAny(Kind.USERS) && node.optional("transactions").isPresent();
        boolean matches = steps.haveAny(Kind.READ) && node.optional("matching").isPresent();
        boolean searches = (reads || steps.haveAny(Kind.USERS)) && !transacts && !matches;
        override(searches);
        Optional<Asked> asked = searches ? records.record(node, Asked.class).map(this::kept) : Optional.empty();
        int passes = reads || searches ? log.optional(node, "passes", TIMES, "1") : 1;
        CacheState caches = reads && searches
                ? log.optional(node, "caches", ValueType.choice(Choices.camelCase(CacheState.class)), "asFound")
                : CacheState.AS_FOUND;
        boolean isOfOneServer = steps.haveAny(Kind.PAGE, Kind.FEED) || transacts;
        int servers = isOfOneServer ? 1 : log.optional(node, "servers", SERVERS, "1");
        List<Step> all = new ArrayList<>();
        for (Kind kind : steps.steps()) {
            Class<? extends Step> type = switch (kind) {
                case LOAD -> Load.class;
                case FEED -> Feed.class;
                case PAGE -> Pages.class;
                case READ -> Read.class;
                case USERS -> transacts ? Transactions.class : Items.class;
            };
            records.record(node, type).ifPresent(all::add);
        }
        boolean startsEmpty = steps.haveAny(Kind.LOAD) && reads;
        settings.setting(Property.HINT)
                .filter(hint -> startsEmpty && !hint.value().equals("none"))
                .ifPresent(hint -> problems.add(
                        hint.origin(),
                        "cannot be proven by a procedure that begins with an empty store (remove it, or take one"
                                + " without load)"));
        return problems.isEmpty() ? Optional.of(new Procedure(all, asked, passes, caches, servers)) : Optional.empty();
    }

    /** An option stands for a key, which is unknown where the steps do not have it. */
    private void override(boolean searches) {
        KEYS.forEach((property, key) ->
                settings.setting(property).ifPresent(given -> node.put(key, given.value(), given.origin())));
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (remove it)", problems);
        if (!searches) {
            String why = "means nothing to a procedure without searches (remove it)";
            settings.refuseGiven(List.of(Property.SEARCHES), why, problems);
        }
        node.peek("levels")
                .filter(levels -> !levels.written().isEmpty())
                .ifPresent(levels -> node.set(
                        new Setting("levels", "[" + levels.written().replaceAll("[, ]+", ",") + "]", levels.origin())));
        StatementsReader statements = new StatementsReader(records, directory);
        long scale = node.peek("scale")
                .flatMap(written -> NUMBER.tryParse(written.written()))
                .orElse(1L);
        // A number stands for those from 1 to so many times the scale.
        records.reading(
                        StatementValues.class,
                        value -> value.isMapping() || value.isList()
                                ? statements.values(value)
                                : records.value(value, NUMBER).map(number -> new Range(1, number * scale)))
                .reading(
                        StatementText.class,
                        (text, type, allowed) ->
                                Optional.of(statement(text, statements, allowed.equals("setup") ? SETUP : STATEMENT)));
    }

    private static StatementText statement(YamlNode written, StatementsReader statements, String allowed) {
        StatementText text = statements.text(written);
        String start = text.written().replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT);
        if (!start.isEmpty() && Stream.of(allowed.split(", ")).noneMatch(begin -> start.startsWith(begin + " "))) {
            written.problem("is not a statement that may stand here (allowed: " + allowed + ")");
        }
        return text;
    }

    private Asked kept(Asked asked) {
        List<SearchName> kept = new Overrides(node, settings, problems).kept(asked.searches());
        settings.setting(Property.SEARCHES).ifPresent(given -> {
            String names = kept.stream().map(SearchName::name).collect(Collectors.joining(","));
            log.put(node.pathOf("searches"), names, given.origin());
        });
        return asked.with(kept);
    }
}
