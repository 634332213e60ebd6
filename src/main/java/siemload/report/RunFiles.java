package siemload.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import siemload.measure.RunResult;
import siemload.measure.RunResultFile;

/**
 * The files of one run. Immutable.
 *
 * @param directory absolute
 * @param run what run.json holds
 */
record RunFiles(Path directory, RunResult run) {
    private static final String RUN = "run.json";
    private static final String LATEST = "latest";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Opens a run.
     *
     * @param given the directory of a run, or a results directory, whose newest run is meant
     * @throws BrokenFileException if it is neither, or run.json is not what it should be
     */
    static RunFiles open(Path given) throws IOException {
        Path directory = find(given.toAbsolutePath().normalize());
        Path file = directory.resolve(RUN);
        try {
            return new RunFiles(directory, RunResultFile.read(file));
        } catch (JsonProcessingException broken) {
            throw new BrokenFileException(BrokenJson.message(file.toString(), broken), broken);
        }
    }

    private static Path find(Path given) throws IOException {
        if (Files.exists(given.resolve(RUN))) {
            return given;
        }
        Path latest = given.resolve(LATEST);
        // Where the file system has no links it is a file with the name.
        Path newest = Files.isRegularFile(latest)
                ? given.resolve(Files.readString(latest).strip())
                : latest;
        if (Files.exists(newest.resolve(RUN))) {
            return newest.toRealPath();
        }
        throw new BrokenFileException(given
                + (Files.isDirectory(given)
                        ? ": neither a run's directory, which has a run.json, nor a results directory, whose '" + LATEST
                                + "' names one"
                        : ": there is no such directory"));
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * Reads a JSON object.
     *
     * @throws BrokenFileException if it is none
     */
    JsonNode json(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        try {
            JsonNode node = JSON.readTree(Files.readString(file));
            if (!node.isObject()) {
                throw new BrokenFileException(name + ": not a JSON object");
            }
            return node;
        } catch (JsonProcessingException broken) {
            throw new BrokenFileException(BrokenJson.message(name, broken), broken);
        }
    }

    /** Why a file of a run could not be shown, in one line. */
    static String reason(String name, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "this run has no " + name;
        }
        return failure instanceof BrokenFileException
                ? String.valueOf(failure.getMessage())
                : name + " cannot be read: " + failure;
    }
}
