package siemload.scenario;

import java.time.Duration;
import java.util.Map;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.dataset.Popularity;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.query.TrendCatalog;

/**
 * Users who behave alike: they work through investigations of several actions each. Or tasks that search by the clock, one
 * search at each tick. Immutable.
 *
 * @param name what the group is called in results
 * @param load how many there are, or how fast they come
 * @param investigation how they work through one
 * @param searched what they search for
 * @param reading how they read results: in pages, or whole
 * @param followUpRatio the share of actions that repeat the last search with one more condition, taken from a row just
 *     seen; 0 to 1
 * @param patience how long they wait for an answer before they start the next action in another tab
 * @param maxRunning how many searches of each of them may run at once; who is over it waits
 */
public record AnalystGroup(
        @Key(allowed = "name") String name,
        @Inline LoadModel load,
        @Inline Investigation investigation,
        @Inline Searched searched,
        @Key("page") ResultReading reading,
        @Key(value = "followUp", standard = "0") double followUpRatio,
        @Key(allowed = PATIENCE, standard = "10s") Duration patience,
        @Key(allowed = "1 to 1000", standard = "7") int maxRunning) {
    static final String PATIENCE = "1ms to 1d";

    public AnalystGroup {
        searched.requireOrder(reading);
    }

    /** Tasks, which do not think, do not follow anything up, and wait for each answer for as long as it takes. */
    static AnalystGroup ofTasks(String name, LoadModel load, Searched searched, ResultReading reading) {
        Distribution none = new Distribution.Constant(Duration.ZERO);
        return new AnalystGroup(
                name, load, new Investigation(1, 1, none, none), searched, reading, 0, Duration.ZERO, 1);
    }

    /** Whether its tasks have the database store a trend, and ask for nothing. */
    public boolean storesTrend() {
        return searched.mix().possible().stream()
                .anyMatch(name -> TrendCatalog.summary(name).isPresent());
    }

    /**
     * Several actions about one thing.
     *
     * @param actions how many
     * @param thinkTime between the answer to one action and the next action
     * @param pause between two investigations
     */
    public record Investigation(Actions actions, Distribution thinkTime, Distribution pause) {
        public Investigation(int minActions, int maxActions, Distribution thinkTime, Distribution pause) {
            this(new Actions(minActions, maxActions), thinkTime, pause);
        }

        /** From so many to so many, 1 or more. */
        public record Actions(
                @Key(allowed = "1 to 1000") int min,
                @Key(allowed = "1 to 1000") int max) {
            public Actions {
                if (min > max) {
                    throw new Misfit("max", max + " is less than min, which is " + min);
                }
            }
        }

        /** The fewest actions. */
        public int minActions() {
            return actions.min();
        }

        /** The most actions. */
        public int maxActions() {
            return actions.max();
        }
    }

    /**
     * What is searched for, with weights.
     *
     * @param windows the windows they search
     * @param mix the searches they start
     * @param values how popular the values they look for are
     * @param orders the orders they ask for
     * @param listLength how many addresses a search for a list gets, 1 to 10,000
     */
    public record Searched(
            @Key("window") Weights<WindowLength> windows,
            Weights<SearchName> mix,
            @Key(standard = "{typical: 1}") Weights<Popularity> values,

            @Key(value = "order", standard = "{newestFirst: 1}")
            Weights<Order> orders,

            @Key(allowed = "1 to 10000", standard = "10") int listLength) {

        void requireOrder(ResultReading reading) {
            if (orders.possible().contains(Order.UNSORTED) && reading instanceof ResultReading.Paged) {
                throw new Misfit("order", "unsorted is for page: whole (a page of unordered rows means nothing)");
            }
        }

        /** Statements of a user, which say themselves what they look for, and in which order. */
        static Searched ofStatements(Weights<SearchName> mix) {
            return new Searched(
                    new Weights<>(Map.of(new WindowLength.Everything(), 1.0)),
                    mix,
                    new Weights<>(Map.of(Popularity.TYPICAL, 1.0)),
                    new Weights<>(Map.of(Order.UNSORTED, 1.0)),
                    1);
        }

        /** The trend of a field, which looks for no value. */
        static Searched ofTrend(Field field, Weights<WindowLength> windows) {
            return new Searched(
                    windows,
                    new Weights<>(Map.of(TrendCatalog.name(field), 1.0)),
                    new Weights<>(Map.of(Popularity.TYPICAL, 1.0)),
                    new Weights<>(Map.of(Order.NEWEST_FIRST, 1.0)),
                    1);
        }
    }
}
