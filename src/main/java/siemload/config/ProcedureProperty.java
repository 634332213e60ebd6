package siemload.config;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** The properties that only procedures have. Stateless. */
public final class ProcedureProperty {
    private static final long ACCOUNTS_OF_BRANCH = 10_000;
    private static final long MOST_ACCOUNTS = 2_000_000_000;

    public static final Property<String> SEARCHED = new Property<>(
            "searched",
            ValueType.text(),
            "",
            "what a procedure looks for: drawn values, or those that the data set has under a name, such as study");
    public static final Property<String> COUNT = new Property<>(
            "count", PropertyChoices.of("count"), "", "whether a procedure also counts the rows of each search");
    public static final Property<Integer> PASSES =
            new Property<>("passes", ValueType.wholeNumber(1, 10_000), "", "how often a procedure measures each step");
    public static final Property<Integer> CYCLES =
            new Property<>("cycles", ValueType.wholeNumber(1, 10_000), "", "how often a procedure loads the data set");
    public static final Property<List<Integer>> LEVELS = new Property<>(
            "levels",
            ValueType.wholeNumbers(1, 100_000),
            "",
            "how many items each job of a procedure of kind jobs has: 1,100,1000");
    public static final Property<Integer> ITEM_SEARCHES = new Property<>(
            "itemSearches", ValueType.wholeNumber(1, 100_000), "", "how many searches an item of a job has");
    public static final Property<Integer> IN_FLIGHT = new Property<>(
            "inFlight",
            ValueType.wholeNumber(1, 10_000),
            "",
            "how many items of a job are worked on at once, on each server");
    public static final Property<Integer> SERVERS = new Property<>(
            "servers",
            ValueType.wholeNumber(1, 64),
            "",
"how many embedded servers share the items of a job, or take a data set each");
    public static final Property<Long> ACCOUNTS = new Property<>(
            "accounts",
            ValueType.of("multiple of 10_000, up to 2_000_000_000", ACCOUNTS_OF_BRANCH, ProcedureProperty::accounts),
            "",
            "how many accounts a procedure of kind transactions makes; for 10,000 of them 10 tellers and a branch");
    public static final Property<SortedMap<String, String>> CLASSES = new Property<>(
            "classes",
            ValueType.assignments(),
            "",
            "what the users of a procedure of kind transactions do, by shares: writeLight=4,readHeavy=1");
    public static final Property<Duration> CRASH = new Property<>(
            "crash",
            ValueType.duration(Duration.ofMillis(1), Duration.ofDays(30)),
            "",
            "after how much of the measured time the embedded server is killed and started again, to see whether the books"
                    + " balance");
    public static final Property<String> STATISTICS = new Property<>(
            "statistics",
            PropertyChoices.of("statistics"),
            "",
            "whether the server's statistics know the events that a procedure of kind stale has fed");
    public static final Property<String> WRITING = new Property<>(
            "writing",
            PropertyChoices.of("writing"),
            "",
            "how a procedure of kind ingest writes the data set: by the target's bulk load, or by inserts without a rate");
    public static final Property<String> TURNS = new Property<>(
            "turns",
            PropertyChoices.of("turns"),
            "",
            "whether the servers of a procedure of kind ingest work at the same time, or one after the other");
    public static final Property<Double> PEAK_FACTOR = new Property<>(
            "peakFactor",
            ValueType.number(1, 1_000),
            "",
            "how many times as many events as on average come at the busiest time of a day, where tiers are told of");
    public static final Property<Duration> RETENTION = new Property<>(
            "retention",
            ValueType.duration(Duration.ofDays(1), Duration.ofDays(36_600)),
            "",
            "how long events are kept, where tiers are told of");

    private ProcedureProperty() {}

    /** Each constant adds itself when this class is initialized, after all of {@link Property}, and once. */
    static void addToCatalogue() {}

    private static long accounts(String text) {
        long accounts = ValueType.wholeNumber(ACCOUNTS_OF_BRANCH, MOST_ACCOUNTS).parse(text);
        if (accounts % ACCOUNTS_OF_BRANCH != 0) {
            throw new IllegalArgumentException(text + " is no multiple of 10,000, the accounts of a branch");
        }
        return accounts;
    }
}
