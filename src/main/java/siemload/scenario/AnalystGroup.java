package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.dataset.Popularity;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;

/**
 * Users who behave alike: they do investigations of several actions each. Or scheduled tasks, with one search at each tick. Immutable.
 *
 * @param name of the group in results
 * @param load how many there are, or how fast they arrive
 * @param investigation of the users; {@link Investigation#OF_TASKS} for tasks
 * @param searched what they search for
 */
public record AnalystGroup(
        @Key(allowed = "name") String name,
        @Inline LoadModel load,
        @Inline Investigation investigation,
        @Inline Searched searched) {
    private static final int MOST_TRENDS = 1_000;

    public AnalystGroup {
        if (load instanceof LoadModel.Scheduled ticks) {
            Procedure.require(
                    !searched.isTrend() || ticks.criteria() == LoadModel.Scheduled.Criteria.FIXED,
                    "criteria",
                    "drawn is not for a trend, which is the same each time (remove it)");
            Procedure.require(
                    !searched.isTrend() || ticks.tasks() <= MOST_TRENDS,
                    "tasks",
                    ticks.tasks() + " is too large for a trend (allowed: 0 to " + MOST_TRENDS + ")");
            Procedure.require(
                    searched.followUpRatio() == 0, "followUp", "is for users, but tasks follow nothing up (remove it)");
            Procedure.require(
                    !(searched.reading() instanceof ResultReading.Paged paged)
                            || paged.deeperRatio() + paged.lastPageRatio() == 0,
                    "page",
                    "has deeper or lastPage, but tasks read the first page alone (remove them)");
        }
    }

    AnalystGroup with(LoadModel other) {
        return new AnalystGroup(name, other, investigation, searched);
    }

    /** Whether its tasks make the database store a trend, without an answer. */
    public boolean storesTrend() {
        return searched.isTrend();
    }

    /**
     * Several actions about one thing.
     *
     * @param actions how many; one by default
     * @param thinkTime between the answer to one action and the next action
     * @param ownPause between two investigations, if it is not the think time
     * @param patience how long they wait for an answer before they start the next action in another tab
     * @param maxRunning how many searches of a user may run at once; more must wait
     */
    public record Investigation(
            @Key(standard = "{min: 1, max: 1}") Actions actions,
            Distribution thinkTime,
            @Key("pause") Optional<Distribution> ownPause,

            @Key(allowed = "1ms to 1d", standard = "10s") Duration patience,

            @Key(allowed = "1 to 1000", standard = "7") int maxRunning) {
        /** For tasks, which do not think, and wait for each answer however long it takes. */
        public static final Investigation OF_TASKS = new Investigation(
                new Actions(1, 1), new Distribution.Constant(Duration.ZERO), Optional.empty(), Duration.ZERO, 1);

        /** A range of numbers, 1 or more. */
        public record Actions(
                @Key(allowed = "1 to 1000") int min,
                @Key(allowed = "1 to 1000") int max) {
            public Actions {
                Procedure.require(min <= max, "max", max + " is less than min, which is " + min);
            }
        }

        /** The wait between two investigations. */
        public Distribution pause() {
            return ownPause.orElse(thinkTime);
        }
    }

    /**
     * What is searched for, with weights.
     *
     * @param windows of the searches
     * @param mix of searches
     * @param values the popularity of searched values
     * @param orders of the rows
     * @param listLength how many addresses a search for a list gets, 1 to 10,000
     * @param reading how they read results: in pages, or whole
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
            Procedure.require(
                    !orders.possible().contains(Order.UNSORTED) || reading instanceof ResultReading.Whole,
                    "order",
                    "unsorted is for page: whole (a page of unordered rows means nothing)");
        }

        /** Statements of a user, which have values and an order of their own. */
        static Searched ofStatements(Weights<SearchName> mix) {
            return plain(Weights.alike(List.of(WindowLength.ALL)), mix, Order.UNSORTED);
        }

        /** The trend of a field; its search looks for no value. */
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
}
