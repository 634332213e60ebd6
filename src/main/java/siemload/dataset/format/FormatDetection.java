package siemload.dataset.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import siemload.event.EventFormatException;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/** Tells the format of a file from its first hundred lines. Not thread-safe. */
final class FormatDetection implements EventReader {
    private static final int MOST_LINES = 100;
    private static final Pattern CEF = Pattern.compile("(^|[\\s:])CEF:\\d");
    private static final Pattern IDEA = Pattern.compile("\"(DetectTime|IDEA0)\"");
    private static final Pattern OCSF = Pattern.compile("\"(class_uid|type_uid)\"");
    private static final Pattern ECS = Pattern.compile("\"(@timestamp|ecs(\\.version)?)\"\\s*:");
    private static final SecurityEvent ENOUGH =
            new SecurityEvent("", Instant.EPOCH, List.of(), "", List.of(), List.of(), List.of(), Map.of());

    private int lines;
    private Optional<EventFormat> found = Optional.empty();

    private FormatDetection() {}

    /** The format of the first line that shows one. */
    static Optional<EventFormat> detect(Path file) {
        FormatDetection detection = new FormatDetection();
        try (EventLineReader reader = EventLineReader.open(file, detection, problem -> {})) {
            reader.next();
        }
        return detection.found;
    }

    @Override
    public String identity() {
        return "detection";
    }

    /** Ends the reading by an event as soon as enough is known. */
    @Override
    public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
        found = format(new String(bytes, offset, length, StandardCharsets.UTF_8).strip());
        if (found.isPresent() || ++lines >= MOST_LINES) {
            return ENOUGH;
        }
        throw new EventFormatException("this line shows no format");
    }

    private static Optional<EventFormat> format(String line) {
        if (!line.startsWith("{")) {
            return CEF.matcher(line).find() ? Optional.of(EventFormat.CEF) : Optional.empty();
        }
        if (IDEA.matcher(line).find()) {
            return Optional.of(EventFormat.IDEA);
        }
        if (OCSF.matcher(line).find()) {
            return Optional.of(EventFormat.OCSF);
        }
        return ECS.matcher(line).find() ? Optional.of(EventFormat.ECS) : Optional.empty();
    }
}
