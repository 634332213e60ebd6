package siemload.dataset.format;

import java.util.Locale;
import java.util.Optional;
import siemload.config.Choices;

/** The formats in which recordings are read. */
public enum EventFormat {
    /** Intrusion Detection Extensible Alert, as JSON Lines. */
    IDEA,
    /** ArcSight's Common Event Format, in files or behind a syslog header. */
    CEF,
    /** Elastic Common Schema, as JSON Lines. */
    ECS,
    /** Open Cybersecurity Schema Framework, as JSON Lines. */
    OCSF;

    /** Told from the first lines of a file. */
    public static final String AUTO = "auto";

    /** The key of events under which everything is kept that has no place in IDEA: {@code _CEF}. */
    public String extension() {
        return "_" + name();
    }

    /** As properties and files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format of that name; empty for {@link #AUTO} and unknown names. */
    public static Optional<EventFormat> find(String id) {
        return Choices.of(EventFormat.class, EventFormat::id).find(id);
    }
}
