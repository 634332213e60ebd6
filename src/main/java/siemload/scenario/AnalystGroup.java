package siemload.scenario;

import static siemload.config.YamlRecords.Misfit.require;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlRecords.By;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.dataset.Popularity;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * Users who behave alike, each doing investigations of several actions; or scheduled tasks, with one search at each tick. Immutable.
 *
 * @param load how many users there are, or how fast they arrive, or the schedule of tasks
 * @param investigation of the users; {@link Investigation#OF_TASKS} for tasks
 */
public record AnalystGroup(
        @Key(allowed = "name") String name,
        @Inline LoadModel load,
        @Inline Investigation investigation,
        @Inline Searched searched) {
    public AnalystGroup {
        if (load instanceof LoadModel.Scheduled ticks) {
            boolean fits = !searched.isTrend() || ticks.criteria() == LoadModel.Scheduled.Criteria.FIXED;
            require(fits, "criteria", "drawn is not possible for a trend: each tick computes the same one (remove it)");
            require(searched.followUpRatio() == 0, "followUp", "is for users; tasks have no follow-ups (remove it)");
            boolean turns = searched.reading() instanceof ResultReading.Paged paged
                    && paged.deeperRatio() + paged.lastPageRatio() > 0;
            require(!turns, "page", "has deeper or lastPage, but tasks read only the first page (remove them)");
        }
    }

    AnalystGroup with(LoadModel other) {
        return new AnalystGroup(name, other, investigation, searched);
    }

    /** Returns whether the tasks make the database store a trend, without receiving an answer. */
    public boolean storesTrend() {
        return searched.isTrend();
    }

    /**
     * Several actions about one subject.
     *
     * @param actions how many actions an investigation has; one by default
     * @param thinkTime the wait between the answer to one action and the next action
     * @param ownPause the wait between two investigations, if it is not the think time
     * @param patience how long users wait for an answer before they start the next action in another tab
     * @param maxRunning how many searches of a user may run at once; further searches must wait
     */
    public record Investigation(
            @Key(standard = "{min: 1, max: 1}") Actions actions,
            Distribution thinkTime,
            @Key("pause") Optional<Distribution> ownPause,

            @Key(allowed = "1ms to 1d", standard = "10s") Duration patience,

            @Key(allowed = "1 to 1000", standard = "7") int maxRunning) {
        /** The investigation of tasks, which have no think time and wait for each answer, however long that takes. */
        public static final Investigation OF_TASKS = new Investigation(
                new Actions(1, 1), new Distribution.Constant(Duration.ZERO), Optional.empty(), Duration.ZERO, 1);

        /** A range of whole numbers, each 1 or more. */
        public record Actions(
                @Key(allowed = "1 to 1000") int min,
                @Key(allowed = "1 to 1000") int max) {
            public Actions {
                require(min <= max, "max", max + " is less than min, which is " + min);
            }
        }

        /** Returns the wait between two investigations. */
        public Distribution pause() {
            return ownPause.orElse(thinkTime);
        }
    }

    /**
     * The searches of a group, with weights.
     *
     * @param values the popularity of searched values
     * @param listLength how many addresses a search for a list gets, 1 to 10,000
     * @param reading how users read results: in pages, or whole
     * @param followUpRatio the share of actions that repeat the last search with one more condition, taken from a row just seen; 0 to 1
     */
    public record Searched(
            @Key("window") Weights<WindowLength> windows,
            Weights<SearchName> mix,
            @Key(standard = "{typical: 1}") Weights<Popularity> values,

            @Key(value = "order", standard = "{newestFirst: 1}")
            Weights<Order> orders,

            @Key(allowed = "1 to 10000", standard = "10") int listLength,
            @Key("page") ResultReading reading,
            @Key(value = "followUp", standard = "0") double followUpRatio) {

        public Searched {
            boolean fits = !orders.possible().contains(Order.UNSORTED) || reading instanceof ResultReading.Whole;
            require(fits, "order", "unsorted needs page: whole (a page of unordered rows means nothing)");
        }

        /** Returns the searches of users who execute statements, which have their own values and order. */
        static Searched ofStatements(Weights<SearchName> mix) {
            return plain(Weights.alike(List.of(WindowLength.ALL)), mix, Order.UNSORTED);
        }

        /** Returns the searches for the trend of a field, which look for no value. */
        static Searched ofTrend(Field field, Weights<WindowLength> windows) {
            return plain(windows, Weights.alike(List.of(SearchCatalog.trend(field))), Order.NEWEST_FIRST);
        }

        private boolean isTrend() {
            return mix.possible().stream()
                    .anyMatch(name -> SearchCatalog.trend(name).isPresent());
        }

        private static Searched plain(Weights<WindowLength> windows, Weights<SearchName> mix, Order order) {
            Weights<Popularity> values = Weights.alike(List.of(Popularity.TYPICAL));
            Weights<Order> orders = Weights.alike(List.of(order));
            return new Searched(windows, mix, values, orders, 1, new ResultReading.Whole(), 0);
        }
    }

    /** Choices with relative weights, 0 or more, in a fixed order. At least one weight is above 0; they need not add up to 1. Immutable. */
    public record Weights<T>(Map<T, Double> weights) {
        public Weights {
            weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
            boolean isEmpty = weights.values().stream().noneMatch(weight -> weight > 0);
            ValueType.require(!isEmpty, "at least one weight must be above 0");
        }

        /** Returns choices of equal weight, of which each is given once. */
        static <T> Weights<T> alike(List<T> choices) {
            Map<T, Double> alike = new LinkedHashMap<>();
            choices.forEach(choice -> alike.put(choice, 1.0));
            return new Weights<>(alike);
        }

        /**
         * Returns the choice at a point from 0 (included) to 1 (excluded), a range that the choices share in their order and in proportion
         * to their weights. A random number as the point gives a random choice.
         */
        public T at(double point) {
            double total = 0;
            for (double weight : weights.values()) {
                total += weight;
            }
            double remaining = point * total;
            T choice = weights.keySet().iterator().next();
            for (Map.Entry<T, Double> one : weights.entrySet()) {
                if (remaining >= 0 && one.getValue() > 0) {
                    choice = one.getKey();
                    remaining -= one.getValue();
                }
            }
            return choice;
        }

        /** Returns the choices with a weight above 0, in their order. */
        public List<T> possible() {
            return weights.entrySet().stream()
                    .filter(choice -> choice.getValue() > 0)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        /** Returns the choice with the largest weight, the first if several weights are equal. */
        public T heaviest() {
            return Collections.max(weights.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
        }
    }

    /** How far back a search looks from now; without a length, to the start of the data set. Immutable. */
    public record WindowLength(Optional<Duration> length) {
        /** From the start of the data set until now. */
        public static final WindowLength ALL = new WindowLength(Optional.empty());

        private static final String LENGTHS = "all, or 1s to 3660d, for example 24h";
        private static final ValueType<Duration> LENGTH =
                ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(3_660));

        /** The notation of window lengths. */
        static final ValueType<WindowLength> TYPE = new ValueType<>(LENGTHS, ALL, text -> {
            String why = "'" + text + "' is not a window (allowed: " + LENGTHS + ")";
            return text.equals("all")
                    ? ALL
                    : LENGTH.tryParse(text)
                            .map(WindowLength::last)
                            .orElseThrow(() -> new IllegalArgumentException(why));
        });

        /** Returns a window of this length that ends now. */
        public static WindowLength last(Duration length) {
            return new WindowLength(Optional.of(length));
        }

        /** Returns the window of a search that ends (excluded) now, in a data set with this earliest detect time. */
        public Window window(Instant dataFirst, Instant now) {
            return length.map(last -> Window.last(last, now)).orElseGet(() -> new Window(dataFirst, now));
        }
    }

    /** How users read a result. Immutable. */
    public sealed interface ResultReading {
        /** The notation of a whole result, the only way of reading that is written as one word. */
        ValueType<String> WHOLE = new ValueType<>(
                "whole, or {size: 100}", "whole", ValueType.choice(Choices.names(List.of("whole")))::parse);

        /** Reads from the first row to the last, as exports and reports do. */
        record Whole() implements ResultReading {}

        /**
         * Reads page by page.
         *
         * @param size rows a page, 1 to 100,000
         * @param deeperRatio the chance that the next action is the next page, 0 to 1
         * @param maximum the highest page number reached by next pages
         * @param lastPageRatio the chance that the next action is the last page, found by an exact count, 0 to 1
         */
        record Paged(
                @Key(allowed = "1 to 100000") int size,
                @Key(value = "deeper", standard = "0") double deeperRatio,

                @Key(allowed = "1 to 1000000", standard = "50")
                int maximum,

                @Key(value = "lastPage", standard = "0") double lastPageRatio)
                implements ResultReading {
            public Paged {
                double sum = deeperRatio + lastPageRatio;
                String why = "1 leaves no next page, but deeper is " + deeperRatio + " (allowed: 2 or more)";
                require(deeperRatio == 0 || maximum > 1, "maximum", why);
                require(sum <= 1, "", "deeper and lastPage add up to " + sum + " (allowed: at most 1 together)");
            }
        }
    }

    /** The distribution of a wait. Immutable. */
    @By(
            value = "distribution",
            of = {Distribution.Exponential.class, Distribution.Constant.class})
    public sealed interface Distribution {
        /** A wait is at most this many times the mean: an exponential wait is cut off there, once in 22,000 draws. */
        double LONGEST_IN_MEANS = 10;

        /** The mean length. */
        Duration mean();

        /** Returns the quantile at a point from 0 (included) to 1 (excluded): a uniform random number gives a random wait. */
        default Duration at(double point) {
            return this instanceof Exponential
                    ? nanos(mean().toNanos() * Math.min(-StrictMath.log(1 - point), LONGEST_IN_MEANS))
                    : mean();
        }

        /**
         * Returns the rest of a wait at a random instant: the residual life of renewal theory (Cox, Renewal Theory, 1962, chapter 5). Its
         * density at {@code r} is the share of waits longer than {@code r}, divided by their mean. A random instant is more likely in a
         * long wait than in a short one, so the rest is not just half a wait. The rest of an exponential wait is distributed like the wait.
         *
         * @param point 0 (included) to 1 (excluded), as for {@link #at}
         */
        default Duration remaining(double point) {
            return this instanceof Exponential ? at(point) : nanos(mean().toNanos() * point);
        }

        /** Each wait has the same length. */
        record Constant(
                @Key(value = "value", allowed = "0s to 1d") Duration mean) implements Distribution {}

        /** Waits have an exponential distribution with this mean, so they are memoryless. */
        record Exponential(@Key(allowed = "0s to 1d") Duration mean) implements Distribution {}

        private static Duration nanos(double nanos) {
            return Duration.ofNanos((long) nanos);
        }
    }
}
