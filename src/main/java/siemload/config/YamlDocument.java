package siemload.config;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Reads YAML files (UTF-8, up to 1 MB, one document, a mapping at the top). Stateless and thread-safe. */
public final class YamlDocument {
    /** A hundred times the longest of them; its time to read is below a second whatever it holds. */
    static final int MOST_BYTES = 1_000_000;

    private YamlDocument() {}

    /**
     * Reads a file and turns it into what it means.
     *
     * @param reader asks the top of the file for what it needs; keys that it does not ask for are problems
     * @return what the reader made
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
        return read(file, shownAs, List.of(), problems, reader);
    }

    /**
     * The same with settings in the place of what stands in the file.
     *
     * @param settings by the path of their value
     */
    public static <T> T read(
            Path file, String shownAs, List<Setting> settings, Problems problems, Function<YamlNode, T> reader) {
        String text;
        try {
            text = RegularFile.text(file, shownAs, MOST_BYTES);
        } catch (ConfigException unreadable) {
            unreadable.problems().forEach(problems::add);
            throw (ConfigException) problems.exception().initCause(unreadable);
        }
        return parse(shownAs, text, problems, top -> {
            settings.forEach(top::set);
            return reader.apply(top);
        });
    }

    /** Reads text that is not in a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        YamlNode top = new YamlText(shownAs, text, problems).top(text).orElseThrow(problems::exception);
        try {
            T result = reader.apply(top);
            top.noteUnknownKeys();
            problems.throwIfAny();
            return result;
        } catch (IllegalArgumentException e) {
            // Stand-ins for bad values need not fit together; only without them is this a bug.
            if (problems.isEmpty()) {
                throw e;
            }
            top.noteUnknownKeys();
            throw (ConfigException) problems.exception().initCause(e);
        }
    }
}
