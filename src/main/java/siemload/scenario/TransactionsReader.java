package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.query.StatementText;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Procedure.Transactions.Committed;
import siemload.scenario.Procedure.Transactions.Transaction;
import siemload.scenario.StatementValues.WholeNumbers;

/** Reads the transactions of a procedure. Reads one procedure. */
record TransactionsReader(YamlNode node, YamlRecords records, ValueLog log, StatementsReader statements) {
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

    private record Values(@Key(standard = "{}") SortedMap<String, StatementValues> values) {}

    private record Written(
            @Key(allowed = "setup", filled = true) List<StatementText> setup,

            @Key(allowed = "0 to 1000000000000", standard = "0")
            long bytes,

            SortedMap<String, Work> transactions,
            Optional<Committed> committed,
            @Key(standard = "{}") SortedMap<String, List<StatementText>> invariants,
            @Key(allowed = "1 to 1000") SortedMap<String, Integer> classes,
            @Key(allowed = "1 to 100000") int users,
            @Key(allowed = "0s to 1d", standard = "0s") Duration warmup,
            @Key(allowed = "1s to 30d") Duration duration,
            @Key(allowed = "1ms to 30d") Optional<Duration> crash) {}

    /** Statements, or those of another transaction. */
    private record Work(
            Optional<String> like,
            Optional<List<StatementText>> statements,
            @Key(allowed = "1 to 10000", standard = "1") int rows) {}

    Optional<Transactions> read() {
        long scale = log.optional(node, "scale", NUMBER, "1");
        // A number stands for those from 1 to so many times the scale.
        records.reading(
                StatementValues.class,
                (value, type, allowed) -> value.isMapping() || value.isList()
                        ? statements.values(value)
                        : records.value(value, NUMBER).map(number -> new WholeNumbers(1, number * scale)));
        Map<String, StatementValues> values = new TreeMap<>();
        records.record(node, Values.class).ifPresent(read -> values.putAll(read.values()));
        records.reading(
                StatementText.class,
                (statement, type, allowed) ->
                        allowed.equals("setup") ? setup(statement, values) : statement(statement, STEP));
        return records.record(node, Written.class).flatMap(read -> transactions(read, scale, new TreeMap<>(values)));
    }

    private Optional<Transactions> transactions(Written read, long scale, SortedMap<String, StatementValues> values) {
        tell("setup", read.setup(), node.required("setup").origin());
        read.transactions()
                .forEach((name, work) -> work.statements()
                        .ifPresent(all -> tell("transactions." + name + ".statements", all, node.origin())));
        read.committed().ifPresent(committed -> tell("committed.find", committed.find(), node.origin()));
        read.invariants().forEach((name, queries) -> tell("invariants." + name, queries, node.origin()));
        SortedMap<String, Transaction> classes = new TreeMap<>();
        read.transactions().forEach((name, work) -> {
            Optional<List<StatementText>> own = work.like().isEmpty()
                    ? work.statements()
                    : Optional.ofNullable(read.transactions().get(work.like().get()))
                            .flatMap(Work::statements);
            own.ifPresentOrElse(
                    all -> classes.put(name, new Transaction(all, work.rows())),
                    () -> node.required("transactions")
                            .required(name)
                            .problem("has neither statements, nor those of a transaction that it is like (there: "
                                    + String.join(", ", read.transactions().keySet()) + ")"));
        });
        classes.values().forEach(one -> requireValues("transactions", one.statements(), values.keySet()));
        read.committed().ifPresent(committed -> requireValues("committed", committed.find(), values.keySet()));
        YamlNode shares = node.required("classes");
        read.classes().keySet().stream()
                .filter(name -> !read.transactions().containsKey(name))
                .forEach(name -> shares.problemWithKey(
                        name,
                        "is no transaction (there: "
                                + String.join(", ", read.transactions().keySet()) + ")"));
        if (read.users() < read.classes().size() || read.classes().isEmpty()) {
            node.required("users")
                    .problem(read.users() + " users cannot be of "
                            + read.classes().size() + " classes (give more users, or fewer classes)");
            return Optional.empty();
        }
        read.crash()
                .filter(at -> at.compareTo(read.duration()) >= 0)
                .ifPresent(late -> node.required("crash")
                        .problem(Durations.format(late) + " is not before the end of the measured time, "
                                + Durations.format(read.duration())));
        return Optional.of(new Transactions(
                read.setup(),
                read.bytes() * scale,
                values,
                classes,
                read.committed(),
                read.invariants(),
                users(read),
                read.warmup(),
                read.duration(),
                read.crash()));
    }

    private void tell(String key, List<StatementText> statements, Origin origin) {
        log.put(node.path() + "." + key, statements.size() + " statements", origin);
    }

    private void requireValues(String key, List<StatementText> statements, Collection<String> known) {
        statements.stream()
                .flatMap(statement -> statement.parameters().stream())
                .filter(parameter -> !parameter.equals(Transactions.ID) && !known.contains(parameter))
                .forEach(parameter -> node.required(key)
                        .problem(":" + parameter + " has no values (give them by procedure.values; :id needs none)"));
    }

    private Optional<StatementText> statement(YamlNode written, List<String> allowed) {
        Optional<StatementText.Scanned> scanned = written.find(ValueType.text()).map(StatementText::scan);
        scanned.flatMap(StatementText.Scanned::flaw)
                .ifPresent(flaw -> written.problemAt(flaw.offset(), flaw.message()));
        Optional<StatementText> whole =
                scanned.filter(read -> read.flaw().isEmpty()).map(StatementText.Scanned::statement);
        String start = whole.map(StatementText::written)
                .orElse("")
                .replaceAll("\\s+", " ")
                .strip()
                .toLowerCase(Locale.ROOT);
        if (whole.isPresent() && allowed.stream().noneMatch(begin -> start.startsWith(begin + " "))) {
            written.problem("is no statement that may stand here (allowed: " + String.join(", ", allowed) + ")");
            return Optional.empty();
        }
        return whole;
    }

    /** The last of whole numbers stands in the place of their parameter. */
    private Optional<StatementText> setup(YamlNode written, Map<String, StatementValues> values) {
        Map<String, String> ends = new HashMap<>();
        values.forEach((name, some) -> {
            if (some instanceof WholeNumbers numbers) {
                ends.put(name, Long.toString(numbers.to()));
            }
        });
        Optional<StatementText> read = statement(written, SETUP);
        read.stream()
                .flatMap(statement -> statement.parameters().stream())
                .filter(parameter -> !ends.containsKey(parameter))
                .forEach(parameter -> written.problem(":" + parameter + " is no number of procedure.values"));
        return read.map(statement -> StatementText.scan(
                        statement.written(code -> code, name -> ends.getOrDefault(name, ":" + name)))
                .statement());
    }

    private static SortedMap<String, Integer> users(Written read) {
        List<Integer> spread =
                UserSpread.of(read.users(), new ArrayList<>(read.classes().values()));
        SortedMap<String, Integer> byClass = new TreeMap<>();
        read.classes().keySet().forEach(name -> byClass.put(name, spread.get(byClass.size())));
        return byClass;
    }
}
