package siemload.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Path;
import siemload.config.Secrets;

/** Reads and writes {@code run.json}. Stateless and thread-safe. */
public final class RunResultFile {
    private RunResultFile() {}

    /** Writes the file whole or not at all, with all secrets masked. */
    public static void write(Path file, RunResult result) throws IOException {
        WholeFile.write(file, ResultValue.text(masked("", ResultValue.tree(result))));
    }

    private static JsonNode masked(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(masked(entry.getKey(), entry.getValue())));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, masked(key, array.get(i)));
            }
        } else if (node.isTextual()) {
            return TextNode.valueOf(Secrets.masked(key, node.textValue()));
        }
        return node;
    }

    /**
     * Reads the file; keys that this version does not know are ignored.
     *
     * @throws BrokenFileException if it is no result of a format this version knows
     * @throws IOException if it cannot be read
     */
    public static RunResult read(Path file) throws IOException {
        RunResult result = ResultValue.read(file, RunResult.FORMAT_VERSION, RunResult.class);
        if (!(result.identity().measuredSeconds() >= 0
                && result.identity().measuredSeconds() <= LoggedInterval.MOST_SECONDS)) {
            throw new BrokenFileException(
                    file + ": no run takes the " + result.identity().measuredSeconds() + " s of 'measuredSeconds'");
        }
        return result;
    }
}
