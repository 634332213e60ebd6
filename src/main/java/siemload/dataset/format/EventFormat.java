package siemload.dataset.format;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private static final Pattern SHOWS_CEF = Pattern.compile("(^|[\\s:])CEF:\\d");
    private static final Pattern SHOWS_IDEA = Pattern.compile("\"(DetectTime|IDEA0)\"");
    private static final Pattern SHOWS_OCSF = Pattern.compile("\"(class_uid|type_uid)\"");
    private static final Pattern SHOWS_ECS = Pattern.compile("\"(@timestamp|ecs(\\.version)?)\"\\s*:");

    /** The format that a line shows, if it shows one. */
    static Optional<EventFormat> ofLine(String line) {
        if (!line.startsWith("{")) {
            return SHOWS_CEF.matcher(line).find() ? Optional.of(CEF) : Optional.empty();
        } else if (SHOWS_IDEA.matcher(line).find()) {
            return Optional.of(IDEA);
        } else if (SHOWS_OCSF.matcher(line).find()) {
            return Optional.of(OCSF);
        }
        return SHOWS_ECS.matcher(line).find() ? Optional.of(ECS) : Optional.empty();
    }

    /** The key of events under which everything is kept that has no place in IDEA: {@code _CEF}. */
    public String extension() {
        return "_" + name();
    }

    /** As properties and files name it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format of that name; empty for {@code auto} and unknown names. */
    public static Optional<EventFormat> find(String id) {
        return Choices.of(EventFormat.class, EventFormat::id).find(id);
    }
}
