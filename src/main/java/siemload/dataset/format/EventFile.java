package siemload.dataset.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipException;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.YamlNode;
import siemload.event.ByteLines.ForeignFileException;
import siemload.event.EventFormatException;
import siemload.event.EventReader;
import siemload.event.IdeaReader;
import siemload.event.Records;

/**
 * A file of events, with its format and its reader. Immutable.
 *
 * @param path the path as the user wrote it
 * @param format the requested format, or else the format of its first records: {@link #IDEA}, or the name of a mapping file
 * @param reader the reader of the format
 */
public record EventFile(Path path, String format, EventReader reader) {
    /** Intrusion Detection Extensible Alert. */
    public static final String IDEA = "idea";

    private static final String MAPPINGS = "datasets/formats";
    private static final int MOST_RECORDS = 100;
    private static final int MOST_KEYS = 12;
    private static final int LONGEST_KEY = 40;

    /**
     * Returns a file with the format of the settings, or else with the format of its first records.
     *
     * @param home the directory with datasets/
     * @param file the file, whose modification time determines the year of times without a year
     * @throws ConfigException with all problems of the mapping file, or if siemload cannot read files of this kind
     * @throws UncheckedIOException if the file cannot be read
     */
    public static EventFile of(Path home, Path file, Settings settings) {
        try {
            records(file).close();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
        String asked = settings.value(Property.FORMAT);
        String format = asked.equals("auto") ? shown(home, file) : asked;
        if (format.equals(IDEA)) {
            return new EventFile(file, IDEA, new IdeaReader());
        }
        NamedFile mapping = NamedFile.find(home, MAPPINGS, format, settings.origin(Property.FORMAT));
        return new EventFile(file, mapping.name(), mapping(mapping, file));
    }

    /** The extension key for all fields of a format without a place in IDEA, for instance {@code _CEF}. */
    public static String extension(String format) {
        return "_" + format.toUpperCase(Locale.ROOT);
    }

    /** Returns the reader that a mapping file describes. */
    static Mapping mapping(NamedFile mapping, Path file) {
        return YamlNode.read(mapping.path(), mapping.path().toString(), new Problems(), top -> {
            try {
                Instant modified = Files.getLastModifiedTime(file).toInstant();
                // The day of the last change determines the year of a time without a year.
                Instant day = modified.truncatedTo(ChronoUnit.DAYS);
                String text = Files.readString(mapping.path());
                String identity = mapping.name() + " " + Sha256.fingerprint(text) + " " + day;
                return new Mapping(extension(mapping.name()), top, modified, identity);
            } catch (IOException e) {
                throw new UncheckedIOException(file + " cannot be read by " + mapping.path(), e);
            }
        });
    }

    private static Records records(Path file) throws IOException {
        try {
            return Records.open(file);
        } catch (ForeignFileException foreign) {
            throw (ConfigException)
                    new ConfigException(new Origin.WholeFile(file.toString()), foreign.about(file)).initCause(foreign);
        }
    }

    /**
     * Returns the format of the first record, of a hundred at most, that shows its format. The result is IDEA if the file has no record, or
     * if its data are damaged, which is reported later when they are read.
     *
     * @throws ConfigException if no record shows a format; the message describes the first record
     */
    static String shown(Path home, Path file) {
        Map<String, Mapping> mappings = new LinkedHashMap<>();
        Optional<ConfigException> faulty = Optional.empty();
        for (Map.Entry<String, Path> format : NamedFile.files(home, MAPPINGS, 1).entrySet()) {
            NamedFile mapping = new NamedFile(home.resolve(format.getValue()), format.getKey(), format.getKey());
            try {
                mappings.put(mapping.name(), mapping(mapping, file));
            } catch (ConfigException e) {
                faulty = Optional.of(e); // The fault matters if no other format is found.
            }
        }
        String first = "";
        try (Records records = records(file)) {
            for (int i = 0; i < MOST_RECORDS && records.next(); i++) {
                if (!records.isTooLong() && !records.isBlank()) {
                    Optional<ObjectNode> json = json(records);
                    Optional<String> format = shownBy(records.text().strip(), json, mappings);
                    if (format.isPresent()) {
                        return format.get();
                    }
                    first = first.isEmpty() ? look(records.text().strip(), json) : first;
                }
            }
        } catch (EOFException | ZipException | JsonProcessingException damaged) {
            return IDEA;
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
        if (first.isEmpty()) {
            return IDEA;
        }
        String known = String.join(", ", mappings.keySet()).toUpperCase(Locale.ROOT);
        String why = "no known format was found (looked for IDEA, " + known + "): the first event is " + first
                + "; if you know the format, name it with --format, or else write a mapping file: --format my.yaml";
        throw faulty.orElseGet(() -> new ConfigException(new Origin.WholeFile(file.toString()), why));
    }

    private static Optional<ObjectNode> json(Records records) {
        try {
            byte[] record = records.bytes();
            return Optional.of(Mapping.json(record, 0, record.length));
        } catch (EventFormatException noJson) {
            return Optional.empty();
        }
    }

    /** Returns the format that has most of its own keys in the record; the first such format if several are equal. */
    private static Optional<String> shownBy(String record, Optional<ObjectNode> json, Map<String, Mapping> mappings) {
        if (json.filter(event ->
                        event.has("DetectTime") || event.path("Format").asText().equals("IDEA0"))
                .isPresent()) {
            return Optional.of(IDEA);
        }
        Optional<String> best = Optional.empty();
        int most = 0;
        for (Map.Entry<String, Mapping> mapping : mappings.entrySet()) {
            int keys = mapping.getValue().shownBy(record, json);
            best = keys > most ? Optional.of(mapping.getKey()) : best;
            most = Math.max(most, keys);
        }
        return best;
    }

    private static String look(String record, Optional<ObjectNode> json) {
        if (json.isPresent()) {
            List<String> keys = json.get().properties().stream()
                    .map(field -> field.getKey().replaceAll("\\p{Cntrl}", " "))
                    .map(key -> key.length() > LONGEST_KEY ? key.substring(0, LONGEST_KEY) + "..." : key)
                    .toList();
            return "JSON with the keys " + String.join(", ", keys.subList(0, Math.min(MOST_KEYS, keys.size())))
                    + (keys.size() > MOST_KEYS ? " and " + (keys.size() - MOST_KEYS) + " more" : "");
        }
        return record.startsWith("{") || record.startsWith("[")
                ? "JSON that is damaged, or "
                        + (record.replace("\r\n", "").indexOf('\r') < 0
                                ? "not an object"
                                : "events that carriage returns separate (convert with tr '\\r' '\\n')")
                : record.matches("(?s)<[A-Za-z?!].*")
                        ? "XML"
                        : record.startsWith("#separator")
                                ? "a log of Zeek with tabs (Zeek writes JSON with LogAscii::use_json=T)"
                                : MarkedLine.syslog(record).has("time")
                                        ? "a line of syslog without CEF:, LEEF: or JSON in it"
                                        : "text without CEF:, LEEF: or JSON in it";
    }
}
