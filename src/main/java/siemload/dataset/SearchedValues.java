package siemload.dataset;

import java.time.Instant;
import java.util.Optional;
import siemload.config.YamlRecords.Key;
import siemload.event.AddressRange;
import siemload.query.Window;

/**
 * What a data set was searched for in a study, so that it can be asked for again: values that are the same in every run, in the
 * place of drawn ones. What is empty is drawn. Immutable.
 *
 * @param from the detect times that are looked at, from here on
 * @param until excluded; given where {@code from} is
 * @param address a single one
 * @param range any addresses, lowest and highest included
 * @param category of events, letter for letter
 * @param detector the name of a node
 * @param port a transport port, 0 to 65535
 */
public record SearchedValues(
        Optional<Instant> from,
        Optional<Instant> until,
        @Key(allowed = "searched address") Optional<AddressRange> address,
        Optional<AddressRange> range,
        Optional<String> category,
        Optional<String> detector,
        @Key(allowed = "0 to 65535") Optional<Integer> port) {

    /** No value is given: all are drawn. */
    public static final SearchedValues NONE = new SearchedValues(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public SearchedValues {
        if (from.isPresent() != until.isPresent()) {
            throw new IllegalArgumentException("has one end of a time alone (needed: from and until, or none)");
        }
    }

    /** The stretch of time that is looked at. */
    public Optional<Window> between() {
        return from.map(first -> new Window(first, until.orElseThrow()));
    }
}
