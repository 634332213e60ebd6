package siemload.dataset.format;

/** Where a field may go in an IDEA event, and how many values are taken there. */
enum IdeaPlace {
    DETECT_TIME("DetectTime", Kind.TIME),
    CREATE_TIME("CreateTime", Kind.TIME),
    EVENT_TIME("EventTime", Kind.TIME),
    CEASE_TIME("CeaseTime", Kind.TIME),
    DESCRIPTION("Description", Kind.TEXT),
    CONN_COUNT("ConnCount", Kind.COUNT),
    FLOW_COUNT("FlowCount", Kind.COUNT),
    PACKET_COUNT("PacketCount", Kind.COUNT),
    BYTE_COUNT("ByteCount", Kind.COUNT),
    ALT_NAMES("AltNames", Kind.TEXTS),
    REF("Ref", Kind.TEXTS),
    NODE_NAME("Node.Name", Kind.TEXT),
    NODE_SOFTWARE("Node.SW", Kind.TEXTS),
    SOURCE_ADDRESS("Source.IP", Kind.ADDRESSES),
    SOURCE_PORT("Source.Port", Kind.PORTS),
    SOURCE_PROTOCOL("Source.Proto", Kind.PROTOCOLS),
    SOURCE_HOSTNAME("Source.Hostname", Kind.TEXTS),
    SOURCE_MAC("Source.MAC", Kind.TEXTS),
    SOURCE_URL("Source.URL", Kind.TEXTS),
    SOURCE_EMAIL("Source.Email", Kind.TEXTS),
    TARGET_ADDRESS("Target.IP", Kind.ADDRESSES),
    TARGET_PORT("Target.Port", Kind.PORTS),
    TARGET_PROTOCOL("Target.Proto", Kind.PROTOCOLS),
    TARGET_HOSTNAME("Target.Hostname", Kind.TEXTS),
    TARGET_MAC("Target.MAC", Kind.TEXTS),
    TARGET_URL("Target.URL", Kind.TEXTS),
    TARGET_EMAIL("Target.Email", Kind.TEXTS);

    /** What is taken. */
    enum Kind {
        TIME,
        TEXT,
        COUNT,
        TEXTS,
        ADDRESSES,
        PORTS,
        PROTOCOLS
    }

    private final String id;
    private final Kind kind;

    IdeaPlace(String id, Kind kind) {
        this.id = id;
        this.kind = kind;
    }

    /** As mapping files write it. */
    String id() {
        return id;
    }

    Kind kind() {
        return kind;
    }

    boolean isOf(String part) {
        return id.startsWith(part + ".");
    }

    /** The key within its part of the event: {@code Hostname}. */
    String key() {
        return id.substring(id.indexOf('.') + 1);
    }
}
