package siemload.database.layout;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.RegularFile;
import siemload.event.JsonFault;

/**
 * The named blocks of files: statements, parts of them, or JSON. A block with {@code {side}} or {@code {n}} in its name stands for a block
 * for each side or address family. Immutable and thread-safe.
 */
public record Blocks(Map<String, Block> all) {
    private static final Map<String, Blocks> RESOURCES = new ConcurrentHashMap<>();
    private static final Pattern NAME = Pattern.compile("(?m)^-- name: (\\S+) *\\R?");
    private static final Pattern NO_COMMENT = Pattern.compile("(?m)^(?!--)(?=.*\\S)");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    /** The replacements in a block, for each side and each address family that the block's name covers. */
    private static final List<List<Map<String, String>>> LOOPS = List.of(
            List.of(side("source", "Source"), side("target", "Target")),
            List.of(Map.of("{n}", "4"), Map.of("{n}", "6")));

    /** Collects blocks by name; the first of several with the same name counts. */
    private static Blocks first(Stream<Block> some) {
        Map<String, Block> all = new HashMap<>();
        some.forEach(one -> all.putIfAbsent(one.name(), one));
        return new Blocks(Collections.unmodifiableMap(all));
    }

    /** The syntax by which a file is divided into blocks and parameters are marked in them. */
    public enum Syntax {
        /**
         * A block begins after the line {@code -- name: page} and ends before the next; {@code :'name'} is a value, {@code :name} a part of
         * SQL, {@code :"name"} an identifier.
         */
        SQL(".sql"),
        /** A file is an object: each of its keys is the name of a block. */
        JSON(".json");

        private final String ending;

        Syntax(String ending) {
            this.ending = ending;
        }

        public String ending() {
            return ending;
        }
    }

    /**
     * A block of a file.
     *
     * @param written its name as written: {@code condition-{side}-port}
     * @param line the line where its text begins, from 1
     * @param column the column where its text begins, from 1
     */
    public record Block(String name, String written, String text, String file, int line, int column) {
        private static final Pattern NAMES =
                Pattern.compile("(?m)^--.*|(?<!:):(?:'(\\w+)'|\"(\\w+)\"|([a-zA-Z_]\\w*))");

        public Origin origin() {
            return new Origin.InFile(file, line, column);
        }

        /** Returns the placeholders in the SQL of the block, except those in comment lines. */
        public List<String> names() {
            return NAMES.matcher(text)
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !name.startsWith("--"))
                    .toList();
        }

        private Block with(Map<String, String> values) {
            String as = name;
            String filled = text;
            for (Map.Entry<String, String> value : values.entrySet()) {
                as = as.replace(value.getKey(), value.getValue());
                filled = filled.replace(value.getKey(), value.getValue());
            }
            return new Block(as, written, filled, file, line, column);
        }

        private Stream<Block> expanded() {
            return LOOPS.stream()
                    .filter(loop -> loop.get(0).keySet().stream().anyMatch(name::contains))
                    .findFirst()
                    .map(loop -> loop.stream().map(this::with).flatMap(Block::expanded))
                    .orElse(Stream.of(this));
        }
    }

    private static Map<String, String> side(String lower, String upper) {
        return Map.of("{side}", lower, "{Side}", upper, "{s}", lower.substring(0, 1), "{S}", upper.substring(0, 1));
    }

    /**
     * The blocks of a file.
     *
     * @param file the file's name in messages
     * @param problems takes the problems of the blocks
     */
    public static Blocks of(String file, String text, Syntax syntax, Problems problems) {
        List<Block> written = written(file, text, syntax, problems);
        Set<String> names = new HashSet<>();
        written.stream()
                .filter(block -> !names.add(block.name()))
                .forEach(block -> problems.add(
                        block.origin(), "the block " + block.name() + " is defined twice in the folder (remove one)"));
        // A block for one side or address family takes precedence over a block for several.
        return first(written.stream()
                .sorted(Comparator.comparing(block -> block.name().contains("{")))
                .flatMap(Block::expanded));
    }

    /** Returns the blocks as written, each of which may stand for several blocks. */
    static List<Block> written(String file, String text, Syntax syntax, Problems problems) {
        return syntax == Syntax.SQL ? sql(file, text, problems) : json(file, text, problems);
    }

    /** Returns the blocks of a file that belongs to siemload, is read only once and has no mistakes. */
    public static Blocks ofResource(String path, Syntax syntax) {
        return RESOURCES.computeIfAbsent(
                path + syntax.ending(),
                file -> of(file, RegularFile.resource(Blocks.class, file), syntax, new Problems()));
    }

    /** Returns these blocks, plus other blocks whose names are not among these. */
    public Blocks or(Blocks others) {
        return first(Stream.of(this, others).flatMap(some -> some.all.values().stream()));
    }

    private static List<Block> sql(String file, String text, Problems problems) {
        List<MatchResult> names = NAME.matcher(text).results().toList();
        if (NO_COMMENT.matcher(text.substring(0, from(names, 0, text))).find()) {
            problems.add(
                    new Origin.InFile(file, 1, 1),
                    "begins without a name (needed: a line such as -- name: page before each block)");
        }
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i).group(1);
            int begin = names.get(i).end();
            String part = text.substring(begin, from(names, i + 1, text));
            int line = (int) text.substring(0, begin).lines().count() + 1;
            blocks.add(new Block(name, name, part, file, line, 1));
        }
        return blocks;
    }

    private static int from(List<MatchResult> names, int index, String text) {
        return index < names.size() ? names.get(index).start() : text.length();
    }

    private static List<Block> json(String file, String text, Problems problems) {
        List<Block> blocks = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                problems.add(new Origin.WholeFile(file), "is not an object of blocks (needed: {\"name\": ..., ...})");
                return List.of();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                JsonLocation from = parser.currentTokenLocation();
                parser.skipChildren();
                parser.finishToken();
                String value = text.substring((int) from.getCharOffset(), (int)
                        parser.currentLocation().getCharOffset());
                blocks.add(new Block(name, name, value, file, from.getLineNr(), from.getColumnNr()));
            }
            if (parser.nextToken() != null) {
                problems.add(origin(file, parser.currentTokenLocation()), "has more than one value (needed: one)");
                return List.of();
            }
            return blocks;
        } catch (JsonProcessingException wrong) {
            problems.add(origin(file, wrong.getLocation()), "is not JSON: " + JsonFault.words(wrong));
            return List.of();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Origin origin(String file, JsonLocation place) {
        return new Origin.InFile(file, place.getLineNr(), place.getColumnNr());
    }

    public Optional<Block> find(String name) {
        return Optional.ofNullable(all.get(name));
    }

    /** The text of the block with this name. @throws MissingBlockException if no block has this name */
    public String text(String name) {
        return find(name).orElseThrow(() -> new MissingBlockException(name)).text();
    }

    /** A layout lacks a block that a search needs. Only layouts without loading may lack blocks. */
    public static final class MissingBlockException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public final String block;

        public MissingBlockException(String block) {
            super("the layout has no block " + block);
            this.block = block;
        }
    }
}
