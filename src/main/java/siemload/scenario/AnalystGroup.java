package siemload.scenario;

import java.time.Duration;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.SearchName;

/**
 * Users who behave alike: they work through investigations of several actions each. Immutable.
 *
 * @param name what the group is called in results
 * @param load how many there are, or how fast they come
 * @param minActions the fewest actions of an investigation, 1 or more
 * @param maxActions the most actions of an investigation
 * @param thinkTime between the answer to one action and the next action
 * @param pause between two investigations
 * @param windows the windows they search, with weights
 * @param mix the searches they start, with weights
 * @param values how popular the values they look for are, with weights
 * @param orders the orders they ask for, with weights
 * @param listLength how many addresses OTHER1 gets, 1 to 10,000
 * @param reading how they read results: in pages, or whole
 * @param followUpRatio the share of actions that repeat the last search with one more condition, taken from a row just
 *     seen; 0 to 1
 * @param patience how long they wait for an answer before they start the next action in another tab
 * @param maxRunning how many of a user's searches may run at once, 1 or more; at the limit the user waits
 */
public record AnalystGroup(
        String name,
        LoadModel load,
        int minActions,
        int maxActions,
        Distribution thinkTime,
        Distribution pause,
        Weights<WindowLength> windows,
        Weights<SearchName> mix,
        Weights<Popularity> values,
        Weights<Order> orders,
        int listLength,
        ResultReading reading,
        double followUpRatio,
        Duration patience,
        int maxRunning) {}
