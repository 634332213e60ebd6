package siemload.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.query.StatementText;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Procedure.Transactions.Committed;
import siemload.scenario.Procedure.Transactions.Transaction;

/** Reads a procedure of kind transactions, and applies the settings that override it. Reads one procedure. */
record TransactionsReader(YamlNode node, Settings settings, ValueLog log, Problems problems, Path directory) {
    private static final ValueType<Integer> SHARE = ValueType.wholeNumber(1, 1_000);
    private static final ValueType<Integer> ROWS = ValueType.wholeNumber(1, 10_000);
    private static final ValueType<Long> NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    private static final ValueType<Duration> CRASH = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(30));
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

    Transactions read() {
        int users = required("users", Property.USERS);
        long scale = log.optional(node, "scale", NUMBER, "1");
        Map<String, String> ends = new HashMap<>();
        SortedMap<String, StatementValues> values = values(scale, ends);
        Duration warmup = log.override(
                node.pathOf("warmup"), Property.WARMUP, log.optional(node, "warmup", Property.WARMUP.type(), "0s"));
        Duration duration = required("duration", Property.DURATION);
        SortedMap<String, Transaction> classes = classes(values);
        SortedMap<String, List<StatementText>> invariants = new TreeMap<>();
        node.optional("invariants")
                .ifPresent(all -> all.entries()
                        .forEach((name, queries) -> invariants.put(name, statements(queries, STEP, Map.of()))));
        return new Transactions(
                statements(node.required("setup"), SETUP, ends),
                log.optional(node, "bytes", ValueType.wholeNumber(0L, 1_000_000_000_000L), "0") * scale,
                values,
                classes,
                node.optional("committed").map(written -> committed(written, values)),
                invariants,
                usersOf(users, shares(classes)),
                warmup,
                duration,
                crash(duration));
    }

    private <T> T required(String key, Property<T> property) {
        return log.override(node.pathOf(key), property, log.required(node, key, property.type()));
    }

    /** A number stands for those from 1 to so many times the scale; setup has the last one as a parameter. */
    private SortedMap<String, StatementValues> values(long scale, Map<String, String> ends) {
        SortedMap<String, StatementValues> values = new TreeMap<>();
        node.optional("values")
                .ifPresent(all -> all.entries().forEach((name, written) -> {
                    if (written.isMapping() || written.isList()) {
                        new StatementsReader(new YamlRecords(log::put), directory)
                                .values(written)
                                .ifPresent(source -> values.put(name, source));
                    } else {
                        long end = log.value(written, NUMBER) * scale;
                        values.put(name, new StatementValues.WholeNumbers(1, end));
                        ends.put(name, Long.toString(end));
                    }
                }));
        return values;
    }

    private SortedMap<String, Transaction> classes(Map<String, StatementValues> values) {
        SortedMap<String, Transaction> classes = new TreeMap<>();
        YamlNode all = node.required("transactions");
        all.entries().forEach((name, written) -> {
            Optional<YamlNode> like = written.optional("like");
            int rows = log.optional(written, "rows", ROWS, "1");
            if (like.isEmpty()) {
                List<StatementText> statements = statements(written.required("statements"), STEP, Map.of());
                statements.forEach(one -> requireValues(written, one, values));
                classes.put(name, new Transaction(statements, rows));
            } else if (classes.containsKey(like.orElseThrow().text())) {
                classes.put(
                        name,
                        new Transaction(classes.get(like.orElseThrow().text()).statements(), rows));
            } else {
                like.orElseThrow()
                        .problem("is no transaction that stands above (there: " + String.join(", ", classes.keySet())
                                + ")");
            }
        });
        if (all.isMapping() && all.entries().isEmpty()) {
            all.problem("is empty (needed: at least one transaction with its statements)");
        }
        return classes;
    }

    private Committed committed(YamlNode written, Map<String, StatementValues> values) {
        List<StatementText> find = statements(written.required("find"), STEP, Map.of());
        find.forEach(one -> requireValues(written, one, values));
        String name = log.value(written.required("name"), ValueType.text());
        List<StatementText> count = statements(written.required("count"), STEP, Map.of());
        return new Committed(name, count.isEmpty() ? new StatementText(List.of()) : count.get(0), find);
    }

    private static void requireValues(YamlNode place, StatementText statement, Map<String, StatementValues> values) {
        for (String parameter : statement.parameters()) {
            if (!parameter.equals(Transactions.ID) && !values.containsKey(parameter)) {
                place.problem(":" + parameter + " has no values (give them by procedure.values; :id needs none)");
            }
        }
    }

    /** @param ends what stands in the place of parameters */
    private List<StatementText> statements(YamlNode written, List<String> allowed, Map<String, String> ends) {
        List<StatementText> statements = new ArrayList<>();
        for (YamlNode one : written.isList() ? written.elements() : List.of(written)) {
            StatementText.Scanned scanned = StatementText.scan(one.as(ValueType.text()));
            scanned.flaw().ifPresent(flaw -> one.problemAt(flaw.offset(), flaw.message()));
            String start = scanned.statement()
                    .written(code -> code, name -> ":" + name)
                    .replaceAll("\\s+", " ")
                    .strip()
                    .toLowerCase(Locale.ROOT);
            if (scanned.flaw().isEmpty() && allowed.stream().noneMatch(begin -> start.startsWith(begin + " "))) {
                one.problem("is no statement that may stand here (allowed: " + String.join(", ", allowed) + ")");
            }
            StatementText text = scanned.statement();
            if (!ends.isEmpty()) {
                text = StatementText.scan(text.written(code -> code, name -> ends.getOrDefault(name, ":" + name)))
                        .statement();
            }
            if (allowed == SETUP && !text.parameters().isEmpty()) {
                one.problem(":" + text.parameters().get(0) + " is no number of procedure.values");
            }
            statements.add(text);
        }
        log.put(written.path(), statements.size() + " statements", written.origin());
        return statements;
    }

    private Optional<Duration> crash(Duration duration) {
        Optional<Duration> crash = node.optional("crash").map(at -> log.value(at, CRASH));
        crash.filter(at -> at.compareTo(duration) >= 0)
                .ifPresent(late -> problems.add(
                        log.origin(node.pathOf("crash")),
                        Durations.format(late) + " is not before the end of the measured time, "
                                + Durations.format(duration)));
        return crash;
    }

    private Map<String, Integer> shares(SortedMap<String, Transaction> classes) {
        Map<String, Integer> shares = new LinkedHashMap<>();
        YamlNode written = node.required("classes");
        written.entries().forEach((name, share) -> {
            if (classes.containsKey(name)) {
                shares.put(name, log.value(share, SHARE));
            } else {
                written.problemWithKey(name, "is no transaction (there: " + String.join(", ", classes.keySet()) + ")");
            }
        });
        if (written.isMapping() && written.entries().isEmpty()) {
            written.problem("is empty (needed: at least one class with its share)");
        }
        return shares;
    }

    private SortedMap<String, Integer> usersOf(int users, Map<String, Integer> shares) {
        SortedMap<String, Integer> byClass = new TreeMap<>();
        if (users < shares.size()) {
            problems.add(
                    log.origin(node.pathOf("users")),
                    users + " users cannot be of " + shares.size() + " classes (give more users, or fewer classes)");
        } else if (!shares.isEmpty()) {
            List<String> classes = new ArrayList<>(shares.keySet());
            List<Integer> spread = UserSpread.of(users, new ArrayList<>(shares.values()));
            for (int i = 0; i < spread.size(); i++) {
                byClass.put(classes.get(i), spread.get(i));
            }
        }
        return byClass;
    }
}
