package siemload.config;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value of a YAML file (UTF-8, up to 1 MB, one document, a mapping at the top) that knows its place. Readers ask for what they need;
 * problems are noted with line and caret, a stand-in is returned, and reading goes on: {@link #read} throws at the end, with all problems.
 * Before that, settings may replace values. Not thread-safe.
 */
public final class YamlNode {
    /** A hundred times the longest file; reading takes below a second whatever the file holds. */
    static final int MOST_BYTES = 1_000_000;

    private static final int SHOWN_CHARACTERS = 110;
    /** Levels of a file: more than any has, and far from what the stack holds. */
    private static final int DEEPEST = 200;
    /** Characters of a message. */
    private static final int LONGEST = 2_000;

    private final Source source;
    private final Kind kind;
    private final Origin place;
    private final String text;
    /** By key; those of a list by number. */
    private final Map<String, YamlNode> children = new LinkedHashMap<>();

    private final Map<String, Origin> keyPlaces = new HashMap<>();
    private final Set<String> knownKeys = new LinkedHashSet<>();
    private Supplier<String> path = () -> "";

    /** The kind of content; a text without a character counts as EMPTY, like no value. */
    private enum Kind {
        MAPPING,
        LIST,
        VALUE,
        EMPTY,
        /** Was needed and is missing, which has been noted already. */
        MISSING
    }

    /** The place of a node, and where its problems go. */
    private record Source(String file, List<String> lines, Problems problems) {

        /** The top of a text; empty for what is no mapping, which is noted. @throws YAMLException for what is no YAML */
        Optional<YamlNode> top(String yaml, Function<Mark, Origin> places) {
            LoaderOptions options = new LoaderOptions();
            options.setNestingDepthLimit(DEEPEST);
            Iterator<Node> documents =
                    new Yaml(options).composeAll(new StringReader(yaml)).iterator();
            YamlNode top = documents.hasNext()
                    ? node(documents.next(), places)
                    : new YamlNode(this, Kind.EMPTY, place(1, 1), "");
            if (!top.isMapping()) {
                top.problemFound("a mapping at the top, key: value");
            } else if (documents.hasNext()) {
                Origin second = places.apply(documents.next().getStartMark());
                note(second, "", "a second document begins here (allowed: one a file)");
            }
            return Optional.of(top).filter(YamlNode::isMapping);
        }

        private YamlNode node(Node written, Function<Mark, Origin> places) {
            Origin place = places.apply(written.getStartMark());
            if (written.getAnchor() != null) {
                note(place, "", "anchors (&name) and aliases (*name) are not supported (write the value out)");
                return new YamlNode(this, Kind.MISSING, place, "");
            } else if (written instanceof ScalarNode value) {
                String text = value.getTag().equals(Tag.NULL) ? "" : value.getValue();
                return new YamlNode(this, text.isEmpty() ? Kind.EMPTY : Kind.VALUE, place, text);
            } else if (written instanceof SequenceNode elements) {
                YamlNode list = new YamlNode(this, Kind.LIST, place, "");
                for (Node one : elements.getValue()) {
                    list.put(Integer.toString(list.children.size()), node(one, places), place);
                }
                return list;
            }
            YamlNode mapping = new YamlNode(this, Kind.MAPPING, place, "");
            for (NodeTuple pair : ((MappingNode) written).getValue()) {
                Origin at = places.apply(pair.getKeyNode().getStartMark());
                if (pair.getKeyNode() instanceof ScalarNode name && name.getAnchor() == null) {
                    String key = name.getValue();
                    mapping.put(key, node(pair.getValueNode(), places), at).ifPresent(earlier -> {
                        String where =
                                earlier instanceof Origin.InFile first ? " (first in line " + first.line() + ")" : "";
                        noteKey(at, key, key, "this key occurs twice" + where);
                    });
                } else {
                    note(at, "", "this is not a key (write some text, without an anchor, and a colon)");
                }
            }
            return mapping;
        }

        /** A value that stands in no file; empty if it is no valid YAML. */
        Optional<YamlNode> value(String yaml, Origin origin) {
            try {
                return top("value: " + yaml, at -> origin).flatMap(top -> top.peek("value"));
            } catch (YAMLException noYaml) {
                return Optional.empty();
            }
        }

        private void noteSyntax(YAMLException e) {
            Origin place = e instanceof MarkedYAMLException marked ? place(marked.getProblemMark()) : place(1, 1);
            String problem =
                    e instanceof MarkedYAMLException marked ? marked.getProblem() : String.valueOf(e.getMessage());
            String why =
                    problem.contains("\\t(TAB)") ? "a tab character (indent with spaces)" : problem.replace('\n', ' ');
            note(place, "", "this is not YAML: " + why);
        }

        Origin place(Mark mark) {
            return place(mark.getLine() + 1, mark.getColumn() + 1);
        }

        Origin.InFile place(int line, int column) {
            return new Origin.InFile(file, line, column);
        }

        private String line(Origin.InFile place) {
            return place.line() >= 1 && place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
        }

        /** The place of a character of a scalar: within its line, if the value is written there literally. */
        Origin inside(Origin origin, String text, int offset) {
            if (!(origin instanceof Origin.InFile place)) {
                return origin;
            }
            String line = line(place);
            int start = place.column() - 1;
            boolean isQuoted = start < line.length() && "'\"".indexOf(line.charAt(start)) >= 0;
            int first = isQuoted ? start + 1 : start;
            return line.startsWith(text, first) ? place(place.line(), first + offset + 1) : place;
        }

        void note(Origin place, String path, String message) {
            note(place, path, message, Integer.MAX_VALUE);
        }

        /** Shows the line up to the key only: the value of an unknown key could be a password. */
        void noteKey(Origin place, String path, String key, String message) {
            note(place, path, message, place instanceof Origin.InFile at ? at.column() - 1 + key.length() : 0);
        }

        private void note(Origin place, String path, String message, int end) {
            String brief = message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
            problems.add(new Problem(place, path, brief), () -> excerpt(place, end));
        }

        /** Nothing where there is nothing to show, or maybe a password. */
        private String excerpt(Origin origin, int end) {
            if (!(origin instanceof Origin.InFile place)) {
                return "";
            }
            String line = line(place).replace('\t', ' ');
            int caret = place.column() - 1;
            if (line.isBlank() || line.toLowerCase(Locale.ROOT).contains("password") || caret > line.length()) {
                return "";
            }
            int start = Math.max(0, Math.min(caret - SHOWN_CHARACTERS / 2, line.length() - SHOWN_CHARACTERS));
            String shown = line.substring(start, Math.min(Math.min(line.length(), end), start + SHOWN_CHARACTERS));
            String number = Integer.toString(place.line());
            return "\n  " + number + " | " + shown + "\n  " + " ".repeat(number.length()) + " | "
                    + " ".repeat(caret - start) + "^";
        }
    }

    /** @param text of a scalar */
    private YamlNode(Source source, Kind kind, Origin place, String text) {
        this.source = source;
        this.kind = kind;
        this.place = place;
        this.text = text;
    }

    /**
     * Reads a file into its meaning.
     *
     * @param reader asks the top of the file for what it needs; keys that it does not ask for are problems
     * @return the reader's result
     * @throws ConfigException with everything that is wrong
     */
    public static <T> T read(Path file, Function<YamlNode, T> reader) {
        return read(file, file.toString(), new Problems(), reader);
    }

    /**
     * The same for problems that are collected together with others; they are thrown here as well.
     *
     * @param shownAs what the file is called in messages
     */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        String text;
        try {
            text = RegularFile.text(file, shownAs, MOST_BYTES);
        } catch (ConfigException unreadable) {
            unreadable.problems().forEach(problems::add);
            throw (ConfigException) problems.exception().initCause(unreadable);
        }
        return parse(shownAs, text, problems, reader);
    }

    /** Reads a text that is not a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        Source source = new Source(shownAs, text.lines().toList(), problems);
        YamlNode top;
        try {
            top = source.top(text, source::place).orElseThrow(problems::exception);
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
            // Stand-ins for bad values need not fit together; without them this would be a bug.
            if (problems.isEmpty()) {
                throw e;
            }
            top.noteUnknownKeys();
            throw (ConfigException) problems.exception().initCause(e);
        }
    }

    /** Puts a value under a key of this mapping, or a number of this list, and returns where the key stood before. */
    private Optional<Origin> put(String key, YamlNode value, Origin keyPlace) {
        children.put(key, below(key, value));
        return Optional.ofNullable(keyPlaces.putIfAbsent(key, keyPlace));
    }

    private Optional<String> name() {
        return peek("name")
                .map(YamlNode::written)
                .filter(name -> !name.isEmpty())
                .map(ValueType::brief);
    }

    /** The value of a key that must be there. */
    public YamlNode required(String key) {
        return optional(key).orElseGet(() -> {
            if (isMapping()) {
                source.note(place, pathOf(key), "is missing");
            }
            return below(key, new YamlNode(source, Kind.MISSING, place, ""));
        });
    }

    /** The value of an optional key. */
    public Optional<YamlNode> optional(String key) {
        requireMapping();
        knownKeys.add(key);
        return peek(key);
    }

    /** The value of a key, if there is one: neither a missing key nor a node that is no mapping is a problem. */
    public Optional<YamlNode> peek(String key) {
        return Optional.ofNullable(children.get(key));
    }

    /** The default of a key that is left out, as it would be written. */
    YamlNode standard(String key, String yaml) {
        return below(key, source.value(yaml, new Origin.Default()).orElseThrow());
    }

    private YamlNode below(String key, YamlNode value) {
        value.path = () -> pathOf(key);
        return value;
    }

    /** Replaces the value of a key, which may be missing, by the text of a setting. */
    public void put(String key, String value, Origin origin) {
        put(key, new YamlNode(source, Kind.VALUE, origin, value), origin);
    }

    /**
     * Replaces the value at a path: {@code analysts.tier-1.users}. Elements of a list are named by their name, their number from 0, or
     * {@code all} for each that has the rest of the path. A missing last key is added, except for all; a missing part of the path before
     * it, or a value that is no YAML, is noted.
     */
    public void set(Setting setting) {
        List<String> keys = List.of(setting.name().split("\\.", -1));
        String last = keys.get(keys.size() - 1);
        String missing = last;
        List<YamlNode> holders = List.of(this);
        for (String key : keys.subList(0, keys.size() - 1)) {
            missing = holders.isEmpty() ? missing : key;
            holders = holders.stream().flatMap(one -> one.below(key)).toList();
        }
        String lacking = ValueType.quoted(holders.isEmpty() ? missing : last);
        boolean all = keys.contains("all");
        holders = holders.stream()
                .filter(one -> all ? one.peek(last).isPresent() : one.isMapping())
                .toList();
        if (source.value(setting.value(), setting.origin()).isEmpty()) {
            source.note(setting.origin(), setting.name(), ValueType.quoted(setting.value()) + " is no YAML");
        } else if (holders.isEmpty()) {
            source.note(setting.origin(), setting.name(), "the scenario has no " + lacking + " here");
        } else {
            holders.forEach(one -> source.value(setting.value(), setting.origin())
                    .ifPresent(value -> one.put(last, value, setting.origin())));
        }
    }

    private Stream<YamlNode> below(String key) {
        return child(key)
                .map(Stream::of)
                .orElseGet(() -> isList() && key.equals("all") ? children.values().stream() : Stream.empty());
    }

    /** The value of a key of a mapping, or the element of a list with this name or number. */
    Optional<YamlNode> child(String key) {
        return children.values().stream()
                .filter(one -> isList() && one.name().equals(Optional.of(key)))
                .findFirst()
                .or(() -> peek(key));
    }

    /** The values of a mapping whose keys are free, in the order of the file. Immutable. */
    public Map<String, YamlNode> entries() {
        requireMapping();
        knownKeys.addAll(children.keySet());
        return isMapping() ? Collections.unmodifiableMap(children) : Map.of();
    }

    /** The values of a mapping whose keys must be among these choices, in the order of the file. */
    public <T> Map<T, YamlNode> entries(Choices<T> keys) {
        Map<T, YamlNode> chosen = new LinkedHashMap<>();
        entries()
                .forEach((key, value) -> keys.find(key)
                        .ifPresentOrElse(
                                choice -> chosen.put(choice, value),
                                () -> problemWithKey(key, "unknown key (" + keys.help(key) + ")")));
        return chosen;
    }

    /** The elements of a list, in order. Immutable. */
    public List<YamlNode> elements() {
        if (!isList()) {
            problemFound("a list");
        }
        return isList() ? List.copyOf(children.values()) : List.of();
    }

    /** The scalar here as this type; empty if it is none, which is noted. */
    public <T> Optional<T> find(ValueType<T> type) {
        if (kind != Kind.VALUE) {
            problemFound(type.allowed());
            return Optional.empty();
        }
        try {
            return Optional.of(type.parse(text));
        } catch (ValueType.WrongPlace wrong) {
            problemAt(wrong.offset(), String.valueOf(wrong.getMessage()));
        } catch (IllegalArgumentException wrong) {
            problem(String.valueOf(wrong.getMessage()));
        }
        return Optional.empty();
    }

    /** The scalar here as this type; a stand-in if it is none, which is noted. */
    public <T> T as(ValueType<T> type) {
        return find(type).orElseGet(type::standIn);
    }

    /** The scalar as written, without quotes; empty for anything else. */
    public String written() {
        return text;
    }

    /** Text that is not blank. */
    public String text() {
        return as(ValueType.text());
    }

    /** One of some names. */
    public <T> T choice(Choices<T> choices) {
        return as(ValueType.choice(choices));
    }

    /** Whether this is a mapping, for values with more than one form. */
    public boolean isMapping() {
        return kind == Kind.MAPPING;
    }

    /** Whether this is a list, for values with more than one form. */
    public boolean isList() {
        return kind == Kind.LIST;
    }

    /** Whether this is empty: no value, or one without any key, element or character. */
    boolean isEmpty() {
        return kind == Kind.EMPTY || ((isMapping() || isList()) && children.isEmpty());
    }

    /** Notes that something is wrong here: what was found, and what is allowed. */
    public void problem(String message) {
        if (kind != Kind.MISSING) {
            source.note(place, path(), message);
        }
    }

    /** Notes that something is wrong at this character (0 for the first) of the single value here. */
    public void problemAt(int offset, String message) {
        if (kind == Kind.VALUE) {
            source.note(source.inside(place, text, offset), path(), message);
        }
    }

    /** Notes a problem with this key of the mapping here, without showing its value. */
    public void problemWithKey(String key, String message) {
        Optional.ofNullable(keyPlaces.get(key))
                .ifPresent(keyPlace -> source.noteKey(keyPlace, pathOf(key), key, message));
    }

    /** The path from the top of the file: {@code analysts[tier-1].users}; elements without a name have their index. */
    public String path() {
        return path.get();
    }

    /** The path from the top of the file to a key of the mapping here, which may be missing. */
    public String pathOf(String key) {
        String above = path();
        return isList()
                ? above + "[" + peek(key).flatMap(YamlNode::name).orElse(key) + "]"
                : (above.isEmpty() ? "" : above + ".") + ValueType.brief(key);
    }

    /** Where the value stands, or the origin of the setting that replaced it. */
    public Origin origin() {
        return place;
    }

    /** Notes the keys that no reader asked for, here and below. */
    private void noteUnknownKeys() {
        children.forEach((key, child) -> {
            if (isList() || knownKeys.contains(key)) {
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
