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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.ResourceFile;
import siemload.event.JsonFault;

/**
 * The named blocks of some files: statements, parts of them, or JSON. A block whose name has {@code {side}} or {@code {n}} in it stands
 * for one of each side or family. Immutable and thread-safe.
 */
public final class Blocks {
    private static final Map<String, Blocks> RESOURCES = new ConcurrentHashMap<>();
    private static final Pattern NAME = Pattern.compile("(?m)^-- name: (\\S+) *\\R?");
    private static final Pattern NO_COMMENT = Pattern.compile("(?m)^(?!--)(?=.*\\S)");
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    /** What stands for what in a block, for each of which it stands, by what its name then has in it. */
    private static final Map<String, List<Map<String, String>>> LOOPS = Map.of(
            "{side}", List.of(side("source", "Source"), side("target", "Target")),
            "{n}", List.of(Map.of("{n}", "4"), Map.of("{n}", "6")));

    private final SortedMap<String, Block> blocks;
    /** The files as they are written, by their names. */
    private final Map<String, List<Block>> files;

    private Blocks(Map<String, List<Block>> files) {
        this.files = files;
        this.blocks = new TreeMap<>();
        files.values()
                .forEach(written ->
                        written.forEach(block -> expanded(block).forEach(one -> blocks.putIfAbsent(one.name(), one))));
    }

    /** How a file is divided into blocks. */
    public enum Syntax {
        /** A block begins behind the line {@code -- name: page}, and ends before the next one. */
        SQL(".sql"),
        /** A file is an object: each of its keys is the name of a block. */
        JSON(".json");

        private final String ending;

        Syntax(String ending) {
            this.ending = ending;
        }

        /** Of the names of files, with the dot. */
        public String ending() {
            return ending;
        }
    }

    /**
     * A block of a file.
     *
     * @param written its name as it is written: {@code condition-{side}-port}
     * @param line where its text begins, from 1
     * @param column where in the line, from 1
     * @param operators the keys that begin with {@code $}, in their order; none in SQL
     */
    public record Block(
            String name, String written, String text, String file, int line, int column, List<Place> operators) {
        public Block {
            operators = List.copyOf(operators);
        }

        /** Where it begins. */
        public Origin origin() {
            return new Origin.InFile(file, line, column);
        }

        /** A place in it. */
        public Origin origin(int offset) {
            String before = text.substring(0, offset);
            int lines = (int) before.chars().filter(c -> c == '\n').count();
            int inLine = offset - before.lastIndexOf('\n');
            return new Origin.InFile(file, line + lines, lines == 0 ? column + inLine - 1 : inLine);
        }

        private Block with(Map<String, String> values) {
            String as = name;
            String filled = text;
            for (Map.Entry<String, String> value : values.entrySet()) {
                as = as.replace(value.getKey(), value.getValue());
                filled = filled.replace(value.getKey(), value.getValue());
            }
            return new Block(as, written, filled, file, line, column, operators);
        }
    }

    /** A name in a file, with where it stands; both numbers are 1 or more. */
    public record Place(String name, int line, int column) {}

    private static Map<String, String> side(String lower, String upper) {
        return Map.of("{side}", lower, "{Side}", upper, "{s}", lower.substring(0, 1), "{S}", upper.substring(0, 1));
    }

    private static List<Block> expanded(Block written) {
        List<Block> blocks = List.of(written);
        for (Map.Entry<String, List<Map<String, String>>> loop : LOOPS.entrySet()) {
            if (written.name().contains(loop.getKey())) {
                blocks = blocks.stream()
                        .flatMap(block -> loop.getValue().stream().map(block::with))
                        .toList();
            }
        }
        return blocks;
    }

    /**
     * Those of files.
     *
     * @param texts by the names of the files
     * @param shown before these names in messages
     * @param problems what is wrong with them is noted there
     */
    public static Blocks of(Map<String, String> texts, String shown, Syntax syntax, Problems problems) {
        Map<String, List<Block>> files = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>();
        texts.forEach((file, text) -> {
            if (file.endsWith(syntax.ending())) {
                List<Block> read = read(shown + file, text, syntax, problems);
                read.stream()
                        .filter(block -> !names.add(block.name()))
                        .forEach(twice -> problems.add(
                                twice.origin(),
                                "the block " + twice.name() + " stands twice in the folder (leave one out)"));
                files.put(file, read);
            }
        });
        return new Blocks(files);
    }

    private static List<Block> read(String file, String text, Syntax syntax, Problems problems) {
        try {
            return switch (syntax) {
                case SQL -> sql(file, text, problems);
                case JSON -> json(file, text);
            };
        } catch (JsonTemplate.BadTemplateException bad) {
            problems.add(bad.origin(file), String.valueOf(bad.getMessage()));
            return List.of();
        }
    }

    /** Those of a file of siemload's, which has no mistakes; read once. */
    public static Blocks ofResource(String path, Syntax syntax) {
        return RESOURCES.computeIfAbsent(
                path + syntax.ending(),
                file -> new Blocks(
                        Map.of(file, read(file, ResourceFile.text(Blocks.class, file), syntax, new Problems()))));
    }

    /** Those of all files of one of siemload's folders; read once. */
    public static Blocks ofFolder(String path, Syntax syntax) {
        return RESOURCES.computeIfAbsent(path, folder -> {
            Map<String, List<Block>> files = new LinkedHashMap<>();
            for (String file : ResourceFile.beside(Blocks.class, folder + "/searches" + syntax.ending())) {
                if (file.endsWith(syntax.ending())) {
                    String text = ResourceFile.text(Blocks.class, folder + "/" + file);
                    files.put(file, read(folder + "/" + file, text, syntax, new Problems()));
                }
            }
            return new Blocks(files);
        });
    }

    /** These, and those of others under names that none of these has. */
    public Blocks or(Blocks others) {
        Map<String, List<Block>> all = new LinkedHashMap<>();
        others.files.forEach((file, blocks) -> all.put(file, new ArrayList<>(blocks)));
        files.forEach((file, blocks) -> blocks.forEach(block -> {
            for (List<Block> of : all.values()) {
                int place = of.stream().map(Block::name).toList().indexOf(block.name());
                if (place >= 0) {
                    of.set(place, block);
                    return;
                }
            }
            all.computeIfAbsent(file, unused -> new ArrayList<>()).add(block);
        }));
        return new Blocks(all);
    }

    private static List<Block> sql(String file, String text, Problems problems) {
        List<Block> blocks = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        String called = "";
        int begin = 0;
        while (true) {
            boolean isThere = name.find();
            String part = text.substring(begin, isThere ? name.start() : text.length());
            int line = (int) text.substring(0, begin)
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            if (!called.isEmpty()) {
                blocks.add(new Block(called, called, part, file, line, 1, List.of()));
            } else if (NO_COMMENT.matcher(part).find()) {
                problems.add(
                        new Origin.InFile(file, line, 1),
                        "begins without a name (needed: a line such as -- name: page before each block)");
            }
            if (!isThere) {
                return blocks;
            }
            called = name.group(1);
            begin = name.end();
        }
    }

    private static List<Block> json(String file, String text) {
        List<Block> blocks = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken token = parser.nextToken();
            if (token != JsonToken.START_OBJECT) {
                throw new JsonTemplate.BadTemplateException(
                        "is no object of blocks (needed: {\"name\": ..., ...})", 0, 0);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                blocks.add(json(file, text, parser));
            }
            if (parser.nextToken() != null) {
                JsonLocation place = parser.currentTokenLocation();
                throw new JsonTemplate.BadTemplateException(
                        "has more than one value (needed: one)", place.getLineNr(), place.getColumnNr());
            }
            return blocks;
        } catch (JsonProcessingException wrong) {
            JsonLocation place = wrong.getLocation();
            throw new JsonTemplate.BadTemplateException(
                    "is no JSON: " + JsonFault.words(wrong), place.getLineNr(), place.getColumnNr());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Block json(String file, String text, JsonParser parser) throws IOException {
        String name = parser.currentName();
        List<Place> operators = new ArrayList<>();
        JsonToken token = parser.nextToken();
        JsonLocation start = parser.currentTokenLocation();
        int depth = 0;
        while (true) {
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                break;
            }
            if (token == JsonToken.FIELD_NAME && parser.currentName().startsWith("$")) {
                JsonLocation place = parser.currentTokenLocation();
                operators.add(new Place(parser.currentName(), place.getLineNr(), place.getColumnNr()));
            }
            token = parser.nextToken();
        }
        parser.finishToken();
        int from = (int) start.getCharOffset();
        int until = (int) parser.currentLocation().getCharOffset();
        return new Block(
                name, name, text.substring(from, until), file, start.getLineNr(), start.getColumnNr(), operators);
    }

    /** Their names. */
    public Set<String> names() {
        return blocks.keySet();
    }

    /** All of them, by their names. */
    public SortedMap<String, Block> all() {
        return new TreeMap<>(blocks);
    }

    /** The one of a name. */
    public Optional<Block> find(String name) {
        return Optional.ofNullable(blocks.get(name));
    }

    /** The text of the one of a name. @throws MissingBlockException if there is none */
    public String text(String name) {
        Block block = blocks.get(name);
        if (block == null) {
            throw new MissingBlockException(name);
        }
        return block.text();
    }

    /** Those of these names alone, as files have them that need no others. */
    public SortedMap<String, String> written(Set<String> known, Syntax syntax) {
        SortedMap<String, String> texts = new TreeMap<>();
        files.forEach((file, written) -> {
            List<Block> used = written.stream()
                    .filter(block -> expanded(block).stream().anyMatch(one -> known.contains(one.name())))
                    .toList();
            if (!used.isEmpty()) {
                texts.put(file, written(used, syntax));
            }
        });
        return texts;
    }

    private static String written(List<Block> used, Syntax syntax) {
        StringBuilder text = new StringBuilder();
        for (Block block : used) {
            switch (syntax) {
                case SQL ->
                    text.append(text.isEmpty() ? "" : "\n")
                            .append("-- name: ")
                            .append(block.name())
                            .append('\n')
                            .append(block.text().strip())
                            .append('\n');
                case JSON ->
                    text.append(text.isEmpty() ? "{\n" : ",\n")
                            .append("\"")
                            .append(block.name())
                            .append("\": ")
                            .append(block.text());
            }
        }
        return syntax == Syntax.JSON ? text.append("\n}\n").toString() : text.toString();
    }

    /** A layout has no block that a search needs. Only layouts without loading may be without one. */
    public static final class MissingBlockException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private final String block;

        /** @param block its name */
        public MissingBlockException(String block) {
            super("the layout has no block " + block);
            this.block = block;
        }

        /** Its name. */
        public String block() {
            return block;
        }
    }
}
