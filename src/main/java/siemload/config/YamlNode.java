package siemload.config;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import siemload.config.YamlRecords.Misfit;

/**
 * A value of a YAML file (UTF-8, up to 1 MB, one document, a mapping at the top), with its place in the file. Readers ask for the keys that
 * they need. A problem is noted with line and caret, and reading continues with a stand-in: {@link #read} throws all problems at the end.
 * Settings may replace values before they are read. Not thread-safe.
 */
public final class YamlNode {
    /** The most bytes of a file: a hundred times the longest file. Reading takes less than a second, whatever the file contains. */
    static final int MOST_BYTES = 1_000_000;

    private static final int SHOWN_CHARACTERS = 110;
    /** The most levels of nesting in a file: more than any file has, and far fewer than the stack can hold. */
    private static final int DEEPEST = 200;
    /** The most characters of a message. */
    private static final int LONGEST = 2_000;

    private final Source source;
    private final Kind kind;
    private final Origin origin;
    private final String text;
    /** The values of a mapping by key, or the elements of a list by number. */
    private final Map<String, YamlNode> children = new LinkedHashMap<>();

    private final Set<String> knownKeys = new LinkedHashSet<>();
    /** Whether the keys of this mapping are names that the file itself defines. */
    private boolean isFree;

    private Optional<YamlNode> holder = Optional.empty();
    private String key = "";
    private Origin keyOrigin;

    /** The kind of content. */
    private enum Kind {
        MAPPING,
        LIST,
        VALUE,
        EMPTY,
        /** A required value is missing, and this problem has already been noted. */
        MISSING
    }

    /** A YAML text with its problems, and a function that returns the origin for a mark of the parser. */
    private record Source(String file, List<String> lines, Problems problems, Function<Mark, Origin> origins) {

        /** Reads a text and returns its top; notes a problem if the top is not a mapping. @throws YAMLException if the text is not YAML */
        Optional<YamlNode> top(String yaml) {
            Iterator<Event> events = new Yaml().parse(new StringReader(yaml)).iterator();
            events.next(); // The start of the stream.
            YamlNode top = events.next() instanceof DocumentStartEvent
                    ? node(events.next(), events, 1)
                    : new YamlNode(this, Kind.EMPTY, new Origin.InFile(file, 1, 1), "");
            if (!top.isMapping()) {
                top.problemFound("a mapping at the top, key: value");
                return Optional.empty();
            }
            events.next(); // The end of the document.
            if (events.next() instanceof DocumentStartEvent) {
                Origin second = origins.apply(events.next().getStartMark());
                note(second, "", "a second document begins here (allowed: one document)");
            }
            return Optional.of(top);
        }

        /** Reads the node that begins with this event, and consumes the node's other events. */
        private YamlNode node(Event begin, Iterator<Event> events, int level) {
            Origin place = origins.apply(begin.getStartMark());
            if (level > DEEPEST) {
                note(place, "", "is nested too deeply (allowed: " + DEEPEST + " levels)");
                throw problems.exception();
            } else if (begin instanceof NodeEvent named && named.getAnchor() != null) {
                note(place, "", "anchors (&name) and aliases (*name) are not supported (write the value out)");
            }
            if (begin instanceof AliasEvent) {
                return new YamlNode(this, Kind.MISSING, place, "");
            } else if (begin instanceof ScalarEvent value) {
                return value.isPlain() && value.getValue().matches("|~|null|Null|NULL")
                        ? new YamlNode(this, Kind.EMPTY, place, "")
                        : new YamlNode(this, Kind.VALUE, place, value.getValue());
            }
            Kind kind = begin instanceof MappingStartEvent ? Kind.MAPPING : Kind.LIST;
            YamlNode node = new YamlNode(this, kind, place, "");
            for (Event next = events.next(); !(next instanceof CollectionEndEvent); next = events.next()) {
                Origin at = origins.apply(next.getStartMark());
                if (kind == Kind.LIST) {
                    node.put(Integer.toString(node.children.size()), node(next, events, level + 1), at);
                } else if (next instanceof ScalarEvent name && name.getAnchor() == null) {
                    String key = name.getValue();
                    YamlNode value = node(events.next(), events, level + 1);
                    node.peek(key)
                            .map(first -> "this key occurs twice (first at " + first.keyOrigin + ")")
                            .ifPresentOrElse(why -> note(at, key, why), () -> node.put(key, value, at));
                } else {
                    note(at, "", "this is not a key (write a text without an anchor, then a colon)");
                    node(next, events, level + 1);
                    node(events.next(), events, level + 1);
                }
            }
            return node;
        }

        /** Reads a value that is not in a file; returns empty if the value is not valid YAML. */
        Optional<YamlNode> value(String yaml, Origin given) {
            try {
                Source other = new Source(file, lines, problems, mark -> given);
                return other.top("value: " + yaml).flatMap(top -> top.peek("value"));
            } catch (YAMLException noYaml) {
                return Optional.empty();
            }
        }

        private void noteSyntax(YAMLException e) {
            Origin place = new Origin.InFile(file, 1, 1);
            String why = String.valueOf(e.getMessage());
            if (e instanceof MarkedYAMLException marked) {
                place = origins.apply(marked.getProblemMark());
                why = marked.getProblem();
            }
            String tab = why.contains("\\t(TAB)") ? "a tab character (indent with spaces)" : "";
            note(place, "", "this is not YAML: " + (tab.isEmpty() ? why.replace('\n', ' ') : tab));
        }

        private String line(Origin.InFile place) {
            return place.line() >= 1 && place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
        }

        /** Returns the place of a character of a scalar; only the scalar's place if its line does not show the value literally. */
        Origin inside(Origin origin, String text, int offset) {
            if (!(origin instanceof Origin.InFile place)) {
                return origin;
            }
            String line = line(place);
            // The text of a quoted value begins one character later.
            int first = line.startsWith(text, place.column() - 1) ? place.column() : place.column() + 1;
            return line.startsWith(text, first - 1) ? new Origin.InFile(file, place.line(), first + offset) : place;
        }

        void note(Origin place, String path, String message) {
            String brief = message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
            problems.add(place, (path.isEmpty() ? "" : path + ": ") + brief, () -> excerpt(place));
        }

        /** Returns the line up to the wrong word, since a secret could follow; empty if a secret precedes that word. */
        private String excerpt(Origin origin) {
            if (!(origin instanceof Origin.InFile place)) {
                return "";
            }
            String line = line(place).replace('\t', ' ');
            int caret = place.column() - 1;
            int start = Math.max(0, Math.min(caret - SHOWN_CHARACTERS / 2, line.length() - SHOWN_CHARACTERS));
            int most = Math.min(line.length(), start + SHOWN_CHARACTERS);
            int end = Math.min(caret + 1, most);
            while (end < most && " ,:}]".indexOf(line.charAt(end)) < 0) {
                end++;
            }
            String before = line.substring(Math.max(0, start - SHOWN_CHARACTERS), end);
            if (line.isBlank()
                    || caret > line.length()
                    || !Secrets.masked(before).equals(before)) {
                return "";
            }
            String number = Integer.toString(place.line());
            return "\n  " + number + " | " + line.substring(start, end) + "\n  " + " ".repeat(number.length()) + " | "
                    + " ".repeat(caret - start) + "^";
        }
    }

    /** @param text the text of a scalar; empty for other nodes */
    private YamlNode(Source source, Kind kind, Origin origin, String text) {
        this.source = source;
        this.kind = kind;
        this.origin = origin;
        this.text = text;
        this.keyOrigin = origin;
    }

    /**
     * Reads a file, which messages call {@code shownAs}. The reader asks the top for the keys that it needs; all other keys are problems.
     *
     * @throws ConfigException with all problems of the file, and those collected before
     */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        String text;
        try {
            text = RegularFile.text(file, shownAs, MOST_BYTES);
        } catch (ConfigException unreadable) {
            unreadable.problems().forEach(one -> problems.add(one.origin(), one.message()));
            throw (ConfigException) problems.exception().initCause(unreadable);
        }
        return parse(shownAs, text, problems, reader);
    }

    /** Reads a YAML text that is not in a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        Function<Mark, Origin> origins = mark -> new Origin.InFile(shownAs, mark.getLine() + 1, mark.getColumn() + 1);
        Source source = new Source(shownAs, text.lines().toList(), problems, origins);
        YamlNode top;
        try {
            top = source.top(text).orElseThrow(problems::exception);
        } catch (YAMLException noYaml) {
            source.noteSyntax(noYaml);
            throw problems.exception();
        }
        try {
            T result = reader.apply(top);
            top.noteUnknownKeys();
            problems.throwIfAny();
            return result;
        } catch (IllegalArgumentException e) {
            // Stand-ins for bad values need not fit together; but if no problem was noted, the exception is a bug.
            if (problems.isEmpty()) {
                throw e;
            }
            top.noteUnknownKeys();
            throw (ConfigException) problems.exception().initCause(e);
        }
    }

    /** Stores a value under a key of this mapping, or under a number of this list. */
    private void put(String key, YamlNode value, Origin keyOrigin) {
        children.put(key, below(key, value));
        value.keyOrigin = keyOrigin;
    }

    private YamlNode below(String key, YamlNode value) {
        value.holder = Optional.of(this);
        value.key = key;
        return value;
    }

    /** Returns the value of a required key. */
    public YamlNode required(String key) {
        return optional(key).orElseGet(() -> {
            if (isMapping()) {
                source.note(origin, pathOf(key), "is missing");
            }
            return below(key, new YamlNode(source, Kind.MISSING, origin, ""));
        });
    }

    /** Returns the value of an optional key. */
    public Optional<YamlNode> optional(String key) {
        requireMapping();
        knownKeys.add(key);
        return peek(key);
    }

    /** Returns the value of a key, if there is one; notes no problem if the key is missing or this is not a mapping. */
    public Optional<YamlNode> peek(String key) {
        return Optional.ofNullable(children.get(key));
    }

    /** Returns the default of a missing key; {@code yaml} is the default as a file would write it. */
    YamlNode standard(String key, String yaml) {
        return below(key, source.value(yaml, new Origin.Default()).orElseThrow());
    }

    /** Replaces the value of a key, which may be missing, with the text of a setting. */
    public void put(String key, String value, Origin given) {
        put(key, new YamlNode(source, Kind.VALUE, given, value), given);
    }

    /**
     * Replaces the value at a path: {@code analysts.tier-1.users}. Elements of a list are addressed by their name, their number from 0, or
     * {@code all} for all elements that have the rest of the path. A missing last key is added, except after {@code all}. A problem is
     * noted if an earlier part of the path is missing, or if the value is not YAML.
     */
    public void set(Setting setting) {
        List<String> keys = List.of(setting.name().split("\\.", -1));
        String last = keys.get(keys.size() - 1);
        String missing = last;
        List<YamlNode> holders = List.of(this);
        for (String key : keys.subList(0, keys.size() - 1)) {
            missing = holders.isEmpty() ? missing : key;
            holders = holders.stream().flatMap(one -> one.chosen(key)).toList();
        }
        String lacking = ValueType.quoted(holders.isEmpty() ? missing : last);
        holders = holders.stream()
                .filter(one -> keys.contains("all") ? one.peek(last).isPresent() : one.isMapping())
                .toList();
        if (source.value(setting.value(), setting.origin()).isEmpty()) {
            source.note(setting.origin(), setting.name(), ValueType.quoted(setting.value()) + " is not YAML");
        } else if (holders.isEmpty()) {
            source.note(setting.origin(), setting.name(), "the scenario has no " + lacking + " here");
        } else {
            holders.forEach(one -> source.value(setting.value(), setting.origin())
                    .ifPresent(value -> one.put(last, value, setting.origin())));
        }
    }

    private Stream<YamlNode> chosen(String key) {
        Optional<YamlNode> one = child(key);
        return one.isEmpty() && isList() && key.equals("all") ? children.values().stream() : one.stream();
    }

    /** Returns the value of a key of this mapping, or the element of this list with this name or number. */
    private Optional<YamlNode> child(String key) {
        return children.values().stream()
                .filter(one -> isList() && one.name().equals(Optional.of(key)))
                .findFirst()
                .or(() -> peek(key));
    }

    private Optional<String> name() {
        return peek("name")
                .map(YamlNode::written)
                .filter(name -> !name.isEmpty())
                .map(ValueType::brief);
    }

    /** Returns the values of a mapping whose keys the file defines, in the order of the file. Immutable. */
    public Map<String, YamlNode> entries() {
        requireMapping();
        isFree = true;
        return isMapping() ? Collections.unmodifiableMap(children) : Map.of();
    }

    /** Returns the values of a mapping whose keys must be among these choices, in the order of the file. */
    public <T> Map<T, YamlNode> entries(Choices<T> keys) {
        Map<T, YamlNode> chosen = new LinkedHashMap<>();
        entries()
                .forEach((key, value) -> keys.find(key)
                        .ifPresentOrElse(
                                choice -> chosen.put(choice, value),
                                () -> problemWithKey(key, "unknown key (" + keys.help(key) + ")")));
        return chosen;
    }

    /** Returns the elements of this list, in order. Immutable. */
    public List<YamlNode> elements() {
        if (!isList()) {
            problemFound("a list");
        }
        return isList() ? List.copyOf(children.values()) : List.of();
    }

    /** Returns this scalar as a value of the type; notes a problem, and returns empty, if it is not of that type. */
    public <T> Optional<T> find(ValueType<T> type) {
        if (kind != Kind.VALUE) {
            problemFound(type.allowed());
            return Optional.empty();
        }
        try {
            return Optional.of(type.parse(text));
        } catch (IllegalArgumentException wrong) {
            problem(wrong);
            return Optional.empty();
        }
    }

    /** Returns this scalar as a value of the type; notes a problem, and returns a stand-in, if it is not of that type. */
    public <T> T as(ValueType<T> type) {
        return find(type).orElseGet(type::standIn);
    }

    /** Returns this scalar as written, without quotes; empty if this is not a scalar. */
    public String written() {
        return text;
    }

    /** Returns this scalar as text that is not blank. */
    public String text() {
        return as(ValueType.text());
    }

    /** Returns this scalar as one of these choices. */
    public <T> T choice(Choices<T> choices) {
        return as(ValueType.choice(choices));
    }

    /** Returns whether this is a mapping, for values that may have several forms. */
    public boolean isMapping() {
        return kind == Kind.MAPPING;
    }

    /** Returns whether this is a list, for values that may have several forms. */
    public boolean isList() {
        return kind == Kind.LIST;
    }

    /** Returns whether this is empty: no value, a mapping without keys, or a list without elements. */
    boolean isEmpty() {
        return kind == Kind.EMPTY || ((isMapping() || isList()) && children.isEmpty());
    }

    /** Returns this node, and notes a problem if the node is empty. */
    public YamlNode filled() {
        if (isEmpty() || (kind == Kind.VALUE && text.isEmpty())) {
            problem("is empty (write something, or remove it)");
        }
        return this;
    }

    /** Allows these keys in this mapping, and returns those that are present. */
    public List<String> present(List<String> keys) {
        return keys.stream().filter(key -> optional(key).isPresent()).toList();
    }

    /** Notes a problem with this value; the message says what was found and what is allowed. */
    public void problem(String message) {
        if (kind != Kind.MISSING) {
            source.note(origin, path(), message);
        }
    }

    /** Notes why this value was refused: at the value, the key of a free mapping, or the character that the exception names. */
    void problem(IllegalArgumentException why) {
        String message = String.valueOf(why.getMessage());
        YamlNode wrong = this;
        Misfit misfit = why instanceof Misfit told ? told : new Misfit("", message);
        for (String part : misfit.key.split("\\.", -1)) {
            wrong = wrong.child(part).orElse(wrong);
        }
        Optional<YamlNode> free = wrong.holder.filter(above -> above.isFree);
        if (misfit.offset() >= 0) {
            wrong.problemAt(misfit.offset(), message);
        } else if (wrong != this && free.isPresent()) {
            free.get().problemWithKey(wrong.key, message);
        } else {
            wrong.problem(message);
        }
    }

    /** Notes a problem at a character of this scalar, 0 for the first; if this is not a scalar, at the whole value. */
    public void problemAt(int offset, String message) {
        if (kind == Kind.VALUE) {
            source.note(source.inside(origin, text, offset), path(), message);
        } else {
            problem(message);
        }
    }

    /** Notes a problem with a key of this mapping. */
    public void problemWithKey(String key, String message) {
        peek(key).ifPresent(value -> source.note(value.keyOrigin, pathOf(key), message));
    }

    /** Returns the path from the top of the file: {@code analysts[tier-1].users}; elements without a name have their number. */
    public String path() {
        return holder.map(above -> above.pathOf(key)).orElse("");
    }

    /** Returns the path from the top of the file to a key of this mapping; the key may be missing. */
    public String pathOf(String key) {
        String above = path();
        return isList()
                ? above + "[" + peek(key).flatMap(YamlNode::name).orElse(key) + "]"
                : (above.isEmpty() ? "" : above + ".") + ValueType.brief(key);
    }

    /** Returns the place of the value in the file, or the origin of the setting that replaced the value. */
    public Origin origin() {
        return origin;
    }

    /** Notes the keys of this node, and of all nodes below, that no reader asked for. */
    private void noteUnknownKeys() {
        children.forEach((key, child) -> {
            if (isList() || isFree || knownKeys.contains(key)) {
                child.noteUnknownKeys();
            } else if (!knownKeys.isEmpty()) {
                String known = "known keys here: " + String.join(", ", knownKeys);
                problemWithKey(key, "unknown key (" + Choices.suggestion(key, knownKeys) + known + ")");
            }
        });
    }

    private void requireMapping() {
        if (!isMapping()) {
            problemFound("a mapping (key: value)");
        }
    }

    private void problemFound(String allowed) {
        String found = switch (kind) {
            case MAPPING -> "a mapping";
            case LIST -> "a list";
            case VALUE -> ValueType.quoted(text);
            case EMPTY, MISSING -> "nothing";
        };
        problem("found " + found + " (allowed: " + allowed + ")");
    }
}
