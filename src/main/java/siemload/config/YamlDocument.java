package siemload.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** Reads YAML files (UTF-8, one document, a mapping at the top). Stateless and thread-safe. */
public final class YamlDocument {
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

    /**
     * The same for problems that are collected together with others; they are thrown here as well.
     *
     * @param shownAs what the file is called in messages
     */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        return parse(shownAs, content(file, shownAs), problems, reader);
    }

    /** The same for text that is not in a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        YamlSource source = new YamlSource(shownAs, text, problems);
        Optional<YamlNode> top = YamlParser.parse(source, text).map(tree -> new YamlNode(source, "", tree));
        if (top.isEmpty()) {
            throw new ConfigException(problems.list());
        }
        T result = read(top.get(), problems, reader);
        top.get().noteUnknownKeys();
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
            throw (ConfigException) new ConfigException(problems.list()).initCause(e);
        }
    }

    private static String content(Path file, String shownAs) {
        try {
            return decode(Files.readAllBytes(file), shownAs);
        } catch (NoSuchFileException e) {
            throw unreadable(shownAs, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(shownAs, Files.isDirectory(file) ? "is a directory" : "cannot be read: " + e, e);
        }
    }

    private static ConfigException unreadable(String shownAs, String message, IOException cause) {
        return (ConfigException) new ConfigException(new Origin.WholeFile(shownAs), message).initCause(cause);
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
