package siemload.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads YAML files (UTF-8, up to 1 MB, one document, a mapping at the top). Stateless and thread-safe. */
public final class YamlDocument {
    /** A hundred times the longest of them; its time to read is below a second whatever it holds. */
    static final int MOST_BYTES = 1_000_000;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

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

    /** The same for problems that are collected together with others; they are thrown here as well. */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        return read(file, shownAs, List.of(), problems, reader);
    }

    /**
     * The same with settings in the place of what stands in the file.
     *
     * @param shownAs what the file is called in messages
     * @param settings by the path of their value
     */
    public static <T> T read(
            Path file, String shownAs, List<Setting> settings, Problems problems, Function<YamlNode, T> reader) {
        return parse(shownAs, noted(problems, () -> content(file, shownAs)), problems, top -> {
            settings.forEach(top::set);
            return reader.apply(top);
        });
    }

    /** Reads text that is not in a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        YamlNode top =
                YamlParser.parse(new YamlSource(shownAs, text, problems), text).orElseThrow(problems::exception);
        T result = read(top, problems, reader);
        top.noteUnknownKeys();
        problems.throwIfAny();
        return result;
    }

    private static <T> T read(YamlNode top, Problems problems, Function<YamlNode, T> reader) {
        try {
            return reader.apply(top);
        } catch (IllegalArgumentException e) {
            // Stand-ins for bad values need not fit together; only without them is this a bug.
            if (problems.isEmpty()) {
                throw e;
            }
            top.noteUnknownKeys();
            throw (ConfigException) problems.exception().initCause(e);
        }
    }

    private static String noted(Problems problems, Supplier<String> content) {
        try {
            return content.get();
        } catch (ConfigException unreadable) {
            unreadable.problems().forEach(problems::add);
            throw (ConfigException) problems.exception().initCause(unreadable);
        }
    }

    private static String content(Path file, String shownAs) {
        RegularFile.refusal(file).ifPresent(reason -> {
            throw new ConfigException(new Origin.WholeFile(shownAs), reason);
        });
        try (InputStream in = Files.newInputStream(file)) {
            requireSize(Files.size(file), shownAs);
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            requireSize(bytes.length, shownAs);
            return decode(bytes, shownAs);
        } catch (IOException e) {
            throw (ConfigException)
                    new ConfigException(new Origin.WholeFile(shownAs), "cannot be read: " + e).initCause(e);
        }
    }

    private static void requireSize(long bytes, String shownAs) {
        if (bytes > MOST_BYTES) {
            throw new ConfigException(
                    new Origin.WholeFile(shownAs),
                    String.format(Locale.ROOT, "has %,d bytes (allowed: at most %,d)", bytes, MOST_BYTES));
        }
    }

    private static String decode(byte[] bytes, String shownAs) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            int line = 1
                    + (int) text.chars().filter(character -> character == '\n').count();
            int column = text.length() - text.toString().lastIndexOf('\n');
            throw new ConfigException(new Origin.InFile(shownAs, line, column), "this is not UTF-8 text");
        }
        String decoded = text.toString();
        return decoded.indexOf(BYTE_ORDER_MARK) == 0 ? decoded.substring(1) : decoded;
    }
}
