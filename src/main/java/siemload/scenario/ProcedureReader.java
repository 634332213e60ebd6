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
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
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
    /** What a file may do to the run's own tables; nothing that reaches beyond them. */
    private static final List<String> SETUP = List.of(
            "create table",
            "create unlogged table",
            "create index",
            "create unique index",
            "alter table",
            "insert into",
            "update",
            "analyze",
            "vacuum");

    private static final List<String> STEP =
            List.of("select", "insert into", "update", "delete from", "merge into", "with");

    private static final Map<Property<?>, String> KEYS = Map.of(
            Property.USERS, "users",
            Property.WARMUP, "warmup",
            Property.DURATION, "duration");
    private static final List<Property<?>> OF_ANALYSTS = List.of(Property.EPS, Property.ARRIVALS, Property.WORKERS);

    /** What can stand in the list of steps. */
    enum Kind {
        READ,
        PAGE,
        LOAD,
        FEED,
        USERS
    }

    record Steps(@Key(filled = true) List<Kind> steps) {
        Steps {
            if (new HashSet<>(steps).size() < steps.size()) {
                throw new Misfit("steps", "has a step twice (leave one out)");
            }
            if (steps.contains(Kind.USERS) && steps.size() > 1) {
                throw new Misfit("steps", "has users beside other steps (leave one of them out)");
            }
            if (steps.indexOf(Kind.LOAD) > 0) {
                throw new Misfit("steps", "has a load that is not the first step, into a store that is not empty");
            }
        }

        boolean haveAny(Kind... kinds) {
            return Stream.of(kinds).anyMatch(steps::contains);
        }
    }

    private record Size(@Key(allowed = "1 to 10000000") int size) {}

    ProcedureReader {
        records.with("listing", ValueType.choice(catalog.listing()))
                .reading(
                        Page.class,
                        (page, type, allowed) -> page.isMapping()
                                ? records.record(page, Size.class).map(read -> new Page.Numbered(read.size(), 1))
                                : records.value(page, ResultReading.WHOLE).map(whole -> new Page.Whole()))
                .reading(
                        Depths.class,
                        (depths, type, allowed) -> depths.isList()
                                ? records.record(node, Listed.class).map(read -> new Depths.Listed(read.depths()))
                                : records.value(depths, ValueType.choice(Choices.camelCase(Depths.Walk.class))));
    }

    private record Listed(
            @Key(allowed = "1 to 1000000000", filled = true) List<Long> depths) {}

    Optional<Procedure> read() {
        Optional<Steps> written = records.record(node, Steps.class);
        if (written.isEmpty()) {
            // Which keys are wrong depends on the steps: without them none is refused.
            Map<String, YamlNode> unused = node.entries();
            return Optional.empty();
        }
        Steps steps = written.get();
        boolean transacts =
                steps.haveAny(Kind.USERS) && node.optional("transactions").isPresent();
        boolean matches = steps.haveAny(Kind.READ) && node.optional("matching").isPresent();
        boolean searches = steps.haveAny(Kind.READ, Kind.PAGE, Kind.USERS) && !transacts && !matches;
        boolean reads = steps.haveAny(Kind.READ, Kind.PAGE);
        override(searches);
        Optional<Asked> asked = searches ? records.record(node, Asked.class).map(this::kept) : Optional.empty();
        int passes = reads || searches ? log.optional(node, "passes", TIMES, "1") : 1;
        CacheState caches = reads && searches
                ? log.optional(node, "caches", ValueType.choice(Choices.camelCase(CacheState.class)), "asFound")
                : CacheState.AS_FOUND;
        boolean isOfOneServer = steps.haveAny(Kind.PAGE, Kind.FEED) || transacts;
        int servers = isOfOneServer ? 1 : log.optional(node, "servers", SERVERS, "1");
        List<Step> all = new ArrayList<>();
        steps.steps().forEach(kind -> step(kind, transacts).ifPresent(all::add));
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        Procedure procedure = new Procedure(all, asked, passes, caches, servers);
        requireMeaningful(procedure, steps);
        return Optional.of(procedure);
    }

    private Optional<? extends Step> step(Kind kind, boolean transacts) {
        return switch (kind) {
            case LOAD -> records.record(node, Load.class);
            case FEED -> records.record(node, Feed.class);
            case PAGE -> records.record(node, Pages.class);
            case USERS -> transacts ? transactions() : items();
            case READ -> records.record(node, Read.class);
        };
    }

    private Optional<Items> items() {
        node.peek("levels")
                .filter(levels -> !levels.written().isEmpty())
                .ifPresent(levels -> node.set(
                        new Setting("levels", "[" + levels.written().replaceAll("[, ]+", ",") + "]", levels.origin())));
        return records.record(node, Items.class);
    }

    private Optional<Transactions> transactions() {
        StatementsReader statements = new StatementsReader(records, directory);
        long scale = node.peek("scale")
                .flatMap(written -> NUMBER.tryParse(written.written()))
                .orElse(1L);
        // A number stands for those from 1 to so many times the scale.
        records.reading(
                        StatementValues.class,
                        (value, type, allowed) -> value.isMapping() || value.isList()
                                ? statements.values(value)
                                : records.value(value, NUMBER).map(number -> new Range(1, number * scale)))
                .reading(
                        StatementText.class,
                        (written, type, allowed) ->
                                Optional.of(statement(written, statements, allowed.equals("setup") ? SETUP : STEP)));
        return records.record(node, Transactions.class);
    }

    private static StatementText statement(YamlNode written, StatementsReader statements, List<String> allowed) {
        StatementText text = statements.text(written);
        String start = text.written().replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT);
        if (!start.isEmpty() && allowed.stream().noneMatch(begin -> start.startsWith(begin + " "))) {
            written.problem("is no statement that may stand here (allowed: " + String.join(", ", allowed) + ")");
        }
        return text;
    }

    /** An option stands for a key, which is unknown where the steps do not have it. */
    private void override(boolean searches) {
        KEYS.forEach((property, key) ->
                settings.setting(property).ifPresent(given -> node.put(key, given.value(), given.origin())));
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (leave it out)", problems);
        if (!searches) {
            settings.refuseGiven(
                    List.of(Property.SEARCHES),
                    "means nothing to a procedure without searches (leave it out)",
                    problems);
        }
    }

    private Asked kept(Asked asked) {
        List<SearchName> kept = new Overrides(node, settings, problems).kept(asked.searches());
        settings.setting(Property.SEARCHES).ifPresent(given -> {
            String names = kept.stream().map(SearchName::name).collect(Collectors.joining(","));
            log.put(node.pathOf("searches"), names, given.origin());
        });
        return asked.with(kept);
    }

    private void requireMeaningful(Procedure read, Steps steps) {
        boolean pages = steps.haveAny(Kind.PAGE);
        boolean follows = read.steps().stream()
                .anyMatch(one -> one instanceof Read asked && !asked.changes().isEmpty());
        boolean emptied = read.caches() == CacheState.COLD || read.caches() == CacheState.LUKEWARM;
        if (read.startsEmpty() && steps.haveAny(Kind.READ, Kind.PAGE)) {
            settings.setting(Property.HINT)
                    .filter(hint -> !hint.value().equals("none"))
                    .ifPresent(hint -> problems.add(
                            hint.origin(),
                            "cannot be proven by a procedure that begins with an empty store (leave it out, or take one"
                                    + " without load)"));
        }
        refuseIf(
                read.servers() > 1 && (follows || emptied),
                "servers",
                "caches are emptied, and follow-ups are asked, on one server (give 1)");
        refuseIf(
                follows && read.caches() == CacheState.HOT,
                "caches",
                "hot leaves no search that is asked first (allowed: asFound, cold, lukewarm)");
        read.asked().ifPresent(asked -> {
            refuseIf(
                    follows && asked.orders() == Orders.UNSORTED,
                    "order",
                    "unsorted has no first row, which follow-ups begin with");
            refuseIf(!pages && asked.orders() == Orders.BOTH, "order", "both is for steps: [page] (give one of them)");
            refuseIf(
                    asked.page() instanceof Page.Whole && (pages || steps.haveAny(Kind.USERS)),
                    "page",
                    "whole is for steps: [read] (write for example {size: 100})");
        });
    }

    private void refuseIf(boolean isRefused, String key, String why) {
        if (isRefused) {
            problems.add(log.origin(node.pathOf(key)), why);
        }
    }
}
