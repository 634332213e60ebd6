package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;

/** Reads a procedure of kind transactions, and applies the settings that override it. Reads one procedure. */
record TransactionsReader(YamlNode node, Settings settings, ValueLog log, Problems problems) {
    private static final Choices<UserClass> CLASSES = Choices.camelCase(UserClass.class);
    private static final ValueType<Integer> SHARE = ValueType.wholeNumber(1, 1_000);
    private static final long ACCOUNTS_OF_BRANCH = 10_000;
    private static final ValueType<Long> ACCOUNTS =
            ValueType.of("multiple of 10_000, up to 2_000_000_000", ACCOUNTS_OF_BRANCH, TransactionsReader::accounts);
    private static final ValueType<Duration> CRASH = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(30));

    Procedure read() {
        int users = required("users", Property.USERS);
        long accounts = log.required(node, "accounts", ACCOUNTS);
        Duration warmup = log.override(
                node.pathOf("warmup"), Property.WARMUP, log.optional(node, "warmup", Property.WARMUP.type(), "0s"));
        Duration duration = required("duration", Property.DURATION);
        return new Procedure.Transactions(accounts, usersOf(users, shares()), warmup, duration, crash(duration));
    }

    private <T> T required(String key, Property<T> property) {
        return log.override(node.pathOf(key), property, log.required(node, key, property.type()));
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

    private Map<UserClass, Integer> shares() {
        return node.optional("classes").map(this::written).orElseGet(() -> {
            log.put(node.pathOf("classes") + "." + UserClass.WRITE_LIGHT.label(), "1", new Origin.Default());
            return Map.of(UserClass.WRITE_LIGHT, 1);
        });
    }

    private Map<UserClass, Integer> written(YamlNode classes) {
        Map<UserClass, Integer> shares = new LinkedHashMap<>();
        classes.entries(CLASSES).forEach((one, share) -> shares.put(one, log.value(share, SHARE)));
        if (classes.isMapping() && classes.entries().isEmpty()) {
            classes.problem("is empty (needed: at least one class with its share)");
        }
        return shares;
    }

    private static long accounts(String text) {
        long accounts =
                ValueType.wholeNumber(ACCOUNTS_OF_BRANCH, 2_000_000_000L).parse(text);
        if (accounts % ACCOUNTS_OF_BRANCH != 0) {
            throw new IllegalArgumentException(text + " is no multiple of 10,000, the accounts of a branch");
        }
        return accounts;
    }

    private SortedMap<UserClass, Integer> usersOf(int users, Map<UserClass, Integer> shares) {
        SortedMap<UserClass, Integer> byClass = new TreeMap<>();
        if (shares.isEmpty()) {
            byClass.put(UserClass.WRITE_LIGHT, users); // What is wrong has been noted.
            return byClass;
        }
        if (users < shares.size()) {
            problems.add(
                    log.origin(node.pathOf("users")),
                    users + " users cannot be of " + shares.size() + " classes (give more users, or fewer classes)");
            return byClass;
        }
        List<UserClass> classes = new ArrayList<>(shares.keySet());
        List<Integer> spread = UserSpread.of(users, new ArrayList<>(shares.values()));
        for (int i = 0; i < spread.size(); i++) {
            byClass.put(classes.get(i), spread.get(i));
        }
        return byClass;
    }
}
