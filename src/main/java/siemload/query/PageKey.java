package siemload.query;

import java.time.Instant;

/** The position of a row in the order of a search: its detect time and its event id. Immutable. */
public record PageKey(Instant detectTime, String id) {}
