package siemload.dataset;

import java.time.Instant;
import java.util.Optional;
import siemload.event.AddressRange;

/**
 * What a data set was searched for in a study, so that it can be asked for again: values that are the same in every run, in the
 * place of drawn ones. What is empty is drawn. Immutable.
 *
 * @param between the detect times that are looked at
 * @param address a single one
 * @param range any addresses, lowest and highest included
 * @param category of events, letter for letter
 * @param detector the name of a node
 * @param port a transport port, 0 to 65535
 */
public record SearchedValues(
        Optional<Between> between,
        Optional<AddressRange> address,
        Optional<AddressRange> range,
        Optional<String> category,
        Optional<String> detector,
        Optional<Integer> port) {

    /** No value is given: all are drawn. */
    public static final SearchedValues NONE = new SearchedValues(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * A stretch of time.
     *
     * @param from included
     * @param until excluded, after {@code from}
     */
    public record Between(Instant from, Instant until) {}
}
