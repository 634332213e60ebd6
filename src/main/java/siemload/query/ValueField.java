package siemload.query;

import java.util.List;
import java.util.Optional;
import siemload.config.Choices.Labelled;
import siemload.event.AddressRange;

/** The kinds of values of existing events that searches can look for. Queries for values name their columns by these labels. */
public enum ValueField implements Labelled {
    /** An address, on either side. */
    ADDRESS,
    /** An address of a source. */
    SOURCE,
    /** An address of a target. */
    TARGET,
    CATEGORY,
    DETECTOR,
    /** A transport port, on either side. */
    PORT,
    SOURCE_PORT,
    TARGET_PORT,
    /** A part of a description. */
    TEXT,
    /** A whole description. */
    DESCRIPTION,
    ID;

    /** The reason why searches cannot look for this value, in words; empty if they can. */
    public Optional<String> refusal(String value) {
        return switch (this) {
            case ADDRESS, SOURCE, TARGET ->
                AddressRange.tryParse(value).filter(AddressRange::isSingle).isPresent()
                        ? Optional.empty()
                        : Optional.of("'" + value + "' is not a single address (write for example 192.0.2.7)");
            case PORT, SOURCE_PORT, TARGET_PORT ->
                value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= 65_535
                        ? Optional.empty()
                        : Optional.of("'" + value + "' is not a port (needed: 0 to 65535)");
            case CATEGORY, DETECTOR, TEXT, DESCRIPTION, ID ->
                value.isEmpty() ? Optional.of("a value is empty (exclude it with WHERE)") : Optional.empty();
        };
    }

    /** The kinds of values to take from the same event as this value, so that a search for these values finds an event. */
    public List<ValueField> beside() {
        return switch (this) {
            case ADDRESS -> List.of(CATEGORY, DETECTOR, PORT);
            case DETECTOR -> List.of(CATEGORY);
            case SOURCE, TARGET, CATEGORY, PORT, SOURCE_PORT, TARGET_PORT, TEXT, DESCRIPTION, ID -> List.of();
        };
    }
}
