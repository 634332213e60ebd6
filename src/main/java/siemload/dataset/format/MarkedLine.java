package siemload.dataset.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.event.EventFormatException;

/**
 * Lines with a mark, header fields that each end with {@code |}, and keys with values; a syslog header may precede the mark. CEF 0 and 1
 * follow "ArcSight Common Event Format" (OpenText), LEEF 1.0 and 2.0 "QRadar Log Event Extended Format" (IBM). The fields of a line are
 * texts by name. Stateless and thread-safe.
 */
enum MarkedLine {
    CEF("[01](\\.\\d)?", "cefVersion deviceVendor deviceProduct deviceVersion deviceEventClassId name severity"),
    LEEF("[12](\\.0)?", "leefVersion vendor product version eventId");

    private static final String BEFORE_KEYS = "extensionBeforeKeys";
    private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\=|nr])");
    /** The delimiter after the header of LEEF 2.0: one character, the code of a character, or nothing. */
    private static final Pattern DELIMITER =
            Pattern.compile("(?:0?x([0-9A-Fa-f]{1,4})|\\\\t|(\\|(?=\\|)|[^|\\w=]?))\\|");
    /** A text in place of the delimiter that is neither a delimiter nor a key. */
    private static final Pattern NO_DELIMITER = Pattern.compile("[^|=]{1,9}\\||=\\|");

    /** The version after a mark, and the blank before it that some relays add. */
    private static final Pattern VERSION = Pattern.compile(" ?[\\d.]++\\|");

    private static final Pattern KEY = Pattern.compile("\\s\\w+=");
    private static final Pattern KEYS_OF_LEEF =
            Pattern.compile("([\\s|])(?:src|dst|cat|sev|proto|devTime|usrName|srcPort|dstPort|identSrc)=");
    /** The syslog priority, with the count of octets before it, and the version of RFC 5424 after it. */
    private static final Pattern PRIORITY =
            Pattern.compile("(?:\\d{1,7} (?=<))?(?:<([^<> ]{0,20})> ?(?:\\d{1,2} (?=[\\d-]))?|1 (?=\\d{4}-|- ))");
    /** The facility and the severity, as Kiwi Syslog Server writes them after the time. */
    private static final Pattern NAMED_PRIORITY = Pattern.compile(
            "(?i)(?:kern(?:el)?|user|mail|daemon|system\\d?|auth|syslog|lpr|news|uucp|cron|ftp|local\\d)"
                    + "\\.(?:emerg\\w*|alert|crit\\w*|err(?:or)?|warn(?:ing)?|notice|info|debug)");

    /** The end of a value before the mark of another event, with the priority of that event's header or without a header. */
    private static final Pattern AFTER_EVENT =
            Pattern.compile("[\\x00-\\x08\\x0A-\\x1F]|(?:[^\\s\"']|\\d )<\\d{1,3}>|[^\\s\"']$");

    private static final Pattern TIME = Pattern.compile("(?<!\\S)[*.\\[]?((?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:"
            + "(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[Tt ]|(?:(?:19|20)\\d\\d )?[A-Za-z]{3} {1,2}\\d{1,2},? (?:\\d{4} )?"
            + "|\\d{1,2}[ /-][A-Za-z]{3}[ /-]\\d{4}[ :])"
            + "\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?: ?[AaPp][Mm])?(?:[Zz]|[+-]\\d\\d(?::?\\d\\d)?)?(?: (?:19|20)\\d\\d)?"
            + "|\\d{10}(?:\\d{3}){0,3}(?:\\.\\d+)?|^-))(?=[:\\]]?(?:\\s|$))[:\\]]?");
    private static final Pattern ZONE = Pattern.compile("[(\\[]?(\\S{1,64}?)[):\\]]*+((?: +(?:19|20)\\d\\d)?)(?: +|$)");
    private static final Pattern HOST = Pattern.compile("(?!\\d+$)[^ ]*[^ :]");
    private static final int LONGEST_HOST = 255;

    private final String mark;
    private final Pattern versions;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> header;

    MarkedLine(String versions, String header) {
        this.mark = name() + ":";
        this.versions = Pattern.compile(versions);
        this.header = List.of(header.split(" ", -1));
    }

    /** Returns the position of the line's mark, negative if it has none; a mark in quotes counts only if there is no other mark. */
    int start(String line) {
        int quoted = -1;
        for (int at = next(line, 0); at >= 0; at = next(line, at + 1)) {
            if (at == 0 || line.charAt(at - 1) != '"') {
                return at;
            }
            quoted = quoted < 0 ? at : quoted;
        }
        return quoted;
    }

    /** Returns the position of the next mark before a version and {@code |}; negative if there is none. */
    private int next(String line, int from) {
        int at = line.indexOf(mark, from);
        while (at >= 0
                && !VERSION.matcher(line)
                        .region(at + mark.length(), line.length())
                        .lookingAt()) {
            at = line.indexOf(mark, at + 1);
        }
        return at;
    }

    /** Returns the fields of a line by name, all as text; throws {@link EventFormatException} if the line is in another format. */
    ObjectNode fields(String line) {
        int start = start(line);
        if (start < 0) {
            throw new EventFormatException(
                    "not " + name() + ": the line has no " + mark + " before a version and a | sign");
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        int end = start + mark.length();
        end += line.charAt(end) == ' ' ? 1 : 0;
        for (String name : header) {
            end = headerField(line, end, name, fields) + 1;
        }
        if (!versions.matcher(fields.path(header.get(0)).asText()).matches()) {
            throw new EventFormatException("not " + name() + " of a known version");
        }
        if (this == CEF) {
            cefKeys(line, end, fields);
        } else {
            leefKeys(line, end, fields);
        }
        // A value may quote another event, even one with a header of syslog, if no key of that event looks like a
        // repeated key.
        boolean isSeveral = next(line, end) >= 0
                && fields.properties().stream()
                        .anyMatch(key -> key.getValue().isArray() && !header.contains(key.getKey()));
        for (int from = end, at = next(line, end); at >= 0 && !isSeveral; from = at, at = next(line, at + 1)) {
            String before = line.substring(from, at);
            String value = before.substring(before.lastIndexOf('=') + 1);
            isSeveral = AFTER_EVENT.matcher(value).find();
        }
        if (isSeveral) {
            throw new EventFormatException("several events on one line, or an unescaped event inside a value"
                    + " (if carriage returns separate the events, convert with tr '\\r' '\\n')");
        }
        String before = start == 0 ? "" : line.substring(0, start).replace("\uFEFF", "");
        if (!before.isBlank()) {
            add(fields, "syslog", syslog(before));
        }
        return fields;
    }

    /** Adds a field of the header, and returns the position of the {@code |} after it. */
    private int headerField(String line, int from, String name, ObjectNode fields) {
        int end = from;
        while (end < line.length() && line.charAt(end) != '|') {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        boolean mayHoldKeys = name.equals(header.get(header.size() - 1)) && line.indexOf('=', from) < end;
        if (end >= line.length()
                || (mayHoldKeys && KEY.matcher(line).region(from, end).find())) {
            throw new EventFormatException("not " + name() + ": its header ends within " + name + " (each of its "
                    + header.size() + " fields ends with |)");
        }
        fields.put(name, line.substring(from, end).replace("\\|", "|").replace("\\\\", "\\"));
        return end;
    }

    /** A value extends to the next key, which is the last word before an unescaped equals sign. */
    private static void cefKeys(String line, int from, ObjectNode fields) {
        String key = BEFORE_KEYS;
        int start = from;
        for (int equals = line.indexOf('=', from); equals >= 0; equals = line.indexOf('=', equals + 1)) {
            int begin = equals;
            while (begin > start && " \t=".indexOf(line.charAt(begin - 1)) < 0) {
                begin--;
            }
            if ((begin == from || (begin > start && line.charAt(begin - 1) != '=')) && isKey(line, begin, equals)) {
                addValue(fields, key, unescaped(line.substring(start, begin).strip()));
                key = line.substring(begin, equals);
                start = equals + 1;
            }
        }
        addValue(fields, key, unescaped(line.substring(start).strip()));
    }

    /**
     * Returns whether these characters are a key: words joined by points, possibly with a number in brackets. Words after the first point
     * may have almost any character, as in ArcSight's {@code ad.Error_,Code}.
     */
    private static boolean isKey(String line, int from, int to) {
        int end = to;
        if (end > from && line.charAt(end - 1) == ']') {
            do {
                end--;
            } while (end > from && line.charAt(end) != '[');
        }
        boolean isFirst = true;
        boolean isEmpty = true;
        for (int i = from; i < end; i++) {
            char c = line.charAt(i);
            if (c == '.') {
                if (isEmpty) {
                    return false;
                }
                isFirst = false;
                isEmpty = true;
            } else if (isFirst
                    ? c != '_' && !(c == '-' && i > from) && (c > 127 || !Character.isLetterOrDigit(c))
                    : "|\\:".indexOf(c) >= 0) {
                return false;
            } else {
                isEmpty = false;
            }
        }
        return !isEmpty && (end == to || line.substring(end + 1, to - 1).chars().allMatch(Character::isDigit));
    }

    private static String unescaped(String text) {
        return text.indexOf('\\') < 0
                ? text
                : ESCAPE.matcher(text).replaceAll(escape -> switch (escape.group(1)) {
                    case "n" -> "\n";
                    case "r" -> "\r";
                    default -> Matcher.quoteReplacement(escape.group(1));
                });
    }

    private static void addValue(ObjectNode fields, String key, String value) {
        if (!key.equals(BEFORE_KEYS) || !value.isBlank()) {
            add(fields, key, TextNode.valueOf(key.equals(BEFORE_KEYS) ? value.strip() : value));
        }
    }

    /** Keys are separated by tabs, or by the delimiter of LEEF 2.0, or by what is before the known keys of a line without tabs. */
    private static void leefKeys(String line, int from, ObjectNode fields) {
        int start = from;
        String delimiter = "\t";
        Matcher said = DELIMITER.matcher(line).region(from, line.length());
        boolean hasDelimiter = fields.path("leefVersion").asText().startsWith("2");
        if (hasDelimiter && said.lookingAt()) {
            start = said.end();
            String code = said.group(1);
            delimiter = code != null ? String.valueOf((char) Integer.parseInt(code, 16)) : said.group(2);
            delimiter = delimiter == null || delimiter.isEmpty() ? "\t" : delimiter;
        } else if (hasDelimiter
                && NO_DELIMITER.matcher(line).region(from, line.length()).lookingAt()) {
            throw new EventFormatException(
                    "not LEEF: its delimiter is '" + line.substring(from, line.indexOf('|', from))
                            + "' (allowed: one character except letters, digits and =, or its code, such as x5E)");
        }
        Matcher keys = KEYS_OF_LEEF.matcher(line).region(start - 1, line.length());
        if (delimiter.equals("\t") && line.indexOf('\t', start) < 0 && keys.find() && keys.find()) {
            int bars = 0; // more than blanks before the known keys after the first
            do {
                bars += keys.group(1).equals("|") ? 1 : -1;
            } while (keys.find());
            if (bars <= 0) {
                cefKeys(line, start, fields); // A relay turned tabs into blanks.
                return;
            }
            delimiter = "|"; // Firewalls of Palo Alto Networks write bars in both versions.
        }
        String key = BEFORE_KEYS;
        StringBuilder value = new StringBuilder();
        for (String part : line.substring(start).split(Pattern.quote(delimiter), -1)) {
            int equals = part.indexOf('=');
            if (equals > 0 && isKey(part.strip(), 0, part.strip().indexOf('='))) {
                addValue(fields, key, value.toString().strip());
                key = part.substring(0, equals).strip();
                value.setLength(0);
                value.append(part, equals + 1, part.length());
            } else if (!part.isBlank()) {
                // The part continues the value before it, which contains the delimiter.
                value.append(value.isEmpty() ? "" : delimiter).append(part);
            }
        }
        addValue(fields, key, value.toString().strip());
    }

    /** Finds each part of a syslog header of RFC 3164, RFC 5424 or a similar form separately; other text is the rest. */
    static ObjectNode syslog(String header) {
        ObjectNode parts = JsonNodeFactory.instance.objectNode();
        String text = header.replace("\uFEFF", "").replace('\t', ' ').strip();
        Matcher priority = PRIORITY.matcher(text);
        if (priority.lookingAt()) {
            put(parts, "priority", priority.group(1) == null ? "" : priority.group(1));
            text = text.substring(priority.end()).strip();
        }
        Matcher time = TIME.matcher(text);
        String before = "";
        if (time.find()) {
            before = text.substring(0, time.start()).strip();
            text = text.substring(time.end()).strip();
            Matcher zone = ZONE.matcher(text);
            String next = word(text); // hosts are longer than zones without a slash
            boolean isZone = (next.length() < 13 || next.indexOf('/') > 0)
                    && zone.lookingAt()
                    && EventTimes.isZone(zone.group(1));
            put(parts, "time", time.group(1) + (isZone ? " " + zone.group(1) + zone.group(2) : ""));
            text = isZone ? text.substring(zone.end()) : text;
            if (NAMED_PRIORITY.matcher(word(text)).matches()) {
                put(parts, "priority", word(text));
                text = text.substring(word(text).length()).strip();
            }
        }
        boolean isBefore = isHost(before);
        String host = isBefore ? before : word(text);
        if (isHost(host) && !parts.isEmpty()) {
            put(parts, "host", host);
            text = isBefore ? text : text.substring(host.length()).strip();
            before = isBefore ? "" : before;
        }
        put(parts, "rest", (before + " " + text).strip());
        return parts;
    }

    private static boolean isHost(String word) {
        return word.length() <= LONGEST_HOST && HOST.matcher(word).matches();
    }

    /** Adds a part of the header, unless the part is empty or a dash. */
    private static void put(ObjectNode parts, String name, String value) {
        if (!value.isEmpty() && !value.equals("-")) {
            parts.put(name, value);
        }
    }

    private static String word(String text) {
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    /** Adds a value to a key, in addition to the key's earlier values. */
    private static void add(ObjectNode fields, String key, JsonNode value) {
        JsonNode before = fields.get(key);
        if (before == null) {
            fields.set(key, value);
        } else {
            (before instanceof ArrayNode list ? list : fields.putArray(key).add(before)).add(value);
        }
    }
}
