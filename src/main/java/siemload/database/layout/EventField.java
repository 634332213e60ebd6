package siemload.database.layout;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import siemload.config.Sha256;
import siemload.database.layout.LayoutFormat.LayoutAbout.LayoutTable.Rows;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.Utf8Sanitizer;

/** A field of an event that layouts can store. Loads and feeders use the same mapping, for columns and for documents. */
public enum EventField {
    ID(Kind.TEXT, SecurityEvent::id),
    DETECT_TIME(Kind.TIME, SecurityEvent::detectTime),
    CATEGORY(Kind.TEXTS, SecurityEvent::categories),
    DESCRIPTION(Kind.TEXT, event -> EventText.searchable(event.description())),
    SOURCE_IP4(Kind.RANGES, event -> addresses(event.sources(), Family.IP4)),
    TARGET_IP4(Kind.RANGES, event -> addresses(event.targets(), Family.IP4)),
    SOURCE_IP4_HULL(Kind.HULL, SOURCE_IP4.value),
    TARGET_IP4_HULL(Kind.HULL, TARGET_IP4.value),
    SOURCE_IP6(Kind.RANGES, event -> addresses(event.sources(), Family.IP6)),
    TARGET_IP6(Kind.RANGES, event -> addresses(event.targets(), Family.IP6)),
    SOURCE_IP6_HULL(Kind.HULL, SOURCE_IP6.value),
    TARGET_IP6_HULL(Kind.HULL, TARGET_IP6.value),
    SOURCE_PORT(Kind.NUMBERS, event -> distinct(event.sources(), Endpoint::ports)),
    TARGET_PORT(Kind.NUMBERS, event -> distinct(event.targets(), Endpoint::ports)),
    SOURCE_TYPE(Kind.TEXTS, event -> distinct(event.sources(), Endpoint::types)),
    TARGET_TYPE(Kind.TEXTS, event -> distinct(event.targets(), Endpoint::types)),
    PROTOCOL(Kind.TEXTS, event -> ofBothSides(event, Endpoint::protocols)),
    NODE_NAME(Kind.TEXTS, event -> distinct(event.nodes(), node -> List.of(node.name()))),
    NODE_TYPE(Kind.TEXTS, event -> distinct(event.nodes(), Node::types)),
    /** The whole event as IDEA JSON, in bytes. */
    JSON(Kind.WHOLE_EVENT),
    /** An address of the event, or the smallest network that covers its range. */
    NETWORK(Kind.OF_ADDRESS),
    /** The side of an event's address, source or target: {@code s} or {@code t}. */
    SIDE(Kind.OF_ADDRESS);

    /** Up to this many values are compared without a set. */
    private static final int FEW = 8;

    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final Function<SecurityEvent, Object> value;

    EventField(Kind kind, Function<SecurityEvent, ?> value) {
        this.kind = kind;
        this.value = value::apply;
    }

    EventField(Kind kind) {
        this(kind, event -> {
            throw new IllegalArgumentException("the event itself has no value of this field");
        });
    }

    public enum Kind {
        /** A {@link String}. */
        TEXT,
        /** An {@link java.time.Instant}. */
        TIME,
        /** A list of different strings. */
        TEXTS,
        /** A list of different whole numbers. */
        NUMBERS,
        /** A list of each {@link AddressRange} of one family. */
        RANGES,
        /** The address ranges of one family, stored as the smallest range that covers all of them. */
        HULL,
        /** A value that only rows of events have. */
        WHOLE_EVENT,
        /** A value that only rows of addresses have. */
        OF_ADDRESS
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    public boolean fits(Rows rows) {
        return kind == Kind.WHOLE_EVENT ? rows == Rows.EVENTS : kind != Kind.OF_ADDRESS || rows == Rows.ADDRESSES;
    }

    /**
     * Returns an event's value of this field; its type follows from {@link #kind}.
     *
     * @throws IllegalArgumentException if the event itself has no value of this field
     */
    public Object of(SecurityEvent event) {
        return value.apply(event);
    }

    private static List<AddressRange> addresses(List<Endpoint> side, Family family) {
        List<AddressRange> first = side.isEmpty() ? List.of() : side.get(0).addresses();
        if (side.size() < 2 && areAll(first, family)) {
            return first;
        }
        List<AddressRange> addresses = new ArrayList<>();
        for (Endpoint end : side) {
            for (AddressRange address : end.addresses()) {
                if (address.family() == family) {
                    addresses.add(address);
                }
            }
        }
        return addresses;
    }

    private static boolean areAll(List<AddressRange> addresses, Family family) {
        for (int i = 0; i < addresses.size(); i++) {
            if (addresses.get(i).family() != family) {
                return false;
            }
        }
        return true;
    }

    /** Returns the distinct values of all parts; the list of one part itself if all others have the same list or none. */
    static <P, T> List<T> distinct(List<P> parts, Function<P, List<T>> list) {
        List<T> first = List.of();
        boolean same = true;
        for (int i = 0; same && i < parts.size(); i++) {
            List<T> next = list.apply(parts.get(i));
            if (first.isEmpty()) {
                first = next;
                same = isDistinct(next);
            } else {
                same = next.isEmpty() || next.equals(first);
            }
        }
        if (same) {
            return first;
        }
        Set<T> union = new LinkedHashSet<>();
        parts.forEach(part -> union.addAll(list.apply(part)));
        return List.copyOf(union);
    }

    private static boolean isDistinct(List<?> values) {
        if (values.size() > FEW) {
            return new HashSet<>(values).size() == values.size();
        }
        for (int i = 1; i < values.size(); i++) {
            if (values.indexOf(values.get(i)) < i) {
                return false;
            }
        }
        return true;
    }

    /** Returns the distinct values of the sources, then of the targets. */
    static <T> List<T> ofBothSides(SecurityEvent event, Function<Endpoint, List<T>> list) {
        List<T> sources = distinct(event.sources(), list);
        List<T> targets = distinct(event.targets(), list);
        if (sources.isEmpty() || targets.isEmpty()) {
            return targets.isEmpty() ? sources : targets;
        }
        List<T> both = new ArrayList<>(sources);
        Collection<T> known = sources.size() > FEW ? new HashSet<>(sources) : sources;
        for (T value : targets) {
            if (!known.contains(value)) {
                both.add(value);
            }
        }
        return both;
    }

    /** Converts parts of events to forms that document databases compare as siemload does. Stateless. */
    public static final class EventText {
        private static final long MICROS_PER_SECOND = 1_000_000;
        private static final int NANOS_PER_MICRO = 1_000;
        private static final int MICROS_PER_MILLI = 1_000;

        private static final int LONGEST_BYTES = 4_000;

        private EventText() {}

        /** Microseconds since 1970, rounded down; the largest or smallest {@code long} for times that do not fit. */
        public static long micros(Instant instant) {
            long limit = Long.MAX_VALUE / MICROS_PER_SECOND;
            long seconds = instant.getEpochSecond();
            if (seconds >= limit || seconds <= -limit) {
                return seconds > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
            }
            return seconds * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
        }

        /** The time at this many microseconds since 1970. */
        public static Instant instant(long micros) {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        /**
         * The first whole millisecond since 1970 at or after a time: a date in milliseconds is at or after the time if it is at or after
         * that millisecond.
         */
        public static long millisFrom(long micros) {
            long down = Math.floorDiv(micros, MICROS_PER_MILLI);
            return Math.floorMod(micros, MICROS_PER_MILLI) == 0 ? down : down + 1;
        }

        /** Returns the text without NUL characters, which search patterns cannot contain. */
        public static String searchable(String text) {
            return Utf8Sanitizer.of(text.replace("\0", ""));
        }

        /** Returns whether a searchable text is longer than some databases' columns allow. */
        public static boolean isLong(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length > LONGEST_BYTES;
        }

        /** A hash of an id, for databases that limit ids to 512 bytes: SHA-256 of its UTF-8 bytes in URL-safe Base64, 43 characters. */
        public static String idHash(String id) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(Utf8Sanitizer.of(id)));
        }
    }
}
