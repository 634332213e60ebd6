package siemload.config;

import java.nio.file.Path;
import java.util.function.Function;

/** Reads YAML files, as {@link YamlNode} does. */
public final class YamlDocument {
    private YamlDocument() {}

    /** As {@link YamlNode#read(Path, Function)}. */
    public static <T> T read(Path file, Function<YamlNode, T> reader) {
        return YamlNode.read(file, reader);
    }

    /** As {@link YamlNode#read(Path, String, Problems, Function)}. */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        return YamlNode.read(file, shownAs, problems, reader);
    }

    /** As {@link YamlNode#parse}. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        return YamlNode.parse(shownAs, text, problems, reader);
    }
}
