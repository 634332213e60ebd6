package siemload.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import siemload.event.AddressRange;

/** What of existing events searches can look for, where queries give the values. */
public enum ValueField {
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

    private static final Pattern PORT_NUMBER = Pattern.compile("[0-9]{1,5}");
    private static final int MOST_PORT = 65_535;

    /** The name of its query, and of its column where it comes beside another one: lower case with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Why searches cannot look for this value, for people; empty if they can. */
    public Optional<String> refusal(String value) {
        return switch (this) {
            case ADDRESS, SOURCE, TARGET ->
                AddressRange.tryParse(value).filter(AddressRange::isSingle).isPresent()
                        ? Optional.empty()
                        : Optional.of("'" + value + "' is not one address (needed: such as 192.0.2.7)");
            case PORT, SOURCE_PORT, TARGET_PORT -> refusalOfPort(value);
            case CATEGORY, DETECTOR, TEXT, DESCRIPTION, ID ->
                value.isEmpty() ? Optional.of("a value is empty (leave it out by WHERE)") : Optional.empty();
        };
    }

    private static Optional<String> refusalOfPort(String value) {
        return PORT_NUMBER.matcher(value).matches() && Integer.parseInt(value) <= MOST_PORT
                ? Optional.empty()
                : Optional.of("'" + value + "' is no port (needed: 0 to 65535)");
    }

    /** What an event may have together with its values, so that searches for both find something. */
    public List<ValueField> beside() {
        return switch (this) {
            case ADDRESS -> List.of(CATEGORY, DETECTOR, PORT);
            case DETECTOR -> List.of(CATEGORY);
            case SOURCE, TARGET, CATEGORY, PORT, SOURCE_PORT, TARGET_PORT, TEXT, DESCRIPTION, ID -> List.of();
        };
    }
}
