package siemload.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import siemload.results.BrokenFileException;
import siemload.results.ResultText;
import siemload.results.ResultValue;
import siemload.results.ResultValue.ResultPath;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResultFile;

/**
 * The files of one run. Immutable.
 *
 * @param directory absolute
 * @param run what run.json holds
 */
record RunFiles(Path directory, RunResult run) {
    private static final String LATEST = "latest";
    private static final int LONGEST_NAME = 4096;

    /**
     * Opens a run.
     *
     * @param given the directory of a run, or a results directory, whose newest run is meant
     * @throws BrokenFileException if it is neither, or run.json is not what it should be
     */
    static RunFiles open(Path given) throws IOException {
        Path directory = find(given.toAbsolutePath().normalize());
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        return new RunFiles(directory, run);
    }

    private static Path find(Path given) throws IOException {
        if (Files.exists(RunFile.RUN.in(given))) {
            return given;
        }
        Path latest = given.resolve(LATEST);
        // Where the file system has no links it is a file with the name.
        Path newest = Files.isRegularFile(latest)
                ? ResultPath.below(
                        given,
                        ResultText.of(latest, latest.toString(), LONGEST_NAME).strip(),
                        latest.toString())
                : latest;
        if (Files.exists(RunFile.RUN.in(newest))) {
            return newest.toRealPath();
        }
        throw new BrokenFileException(given
                + (Files.isDirectory(given)
                        ? ": neither a run's directory, which has a run.json, nor a results directory, whose '" + LATEST
                                + "' names one"
                        : ": there is no such directory"));
    }

    /**
     * Reads a JSON object.
     *
     * @throws BrokenFileException if it is none
     */
    JsonNode json(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        JsonNode node = ResultValue.tree(name, ResultText.of(file, name));
        if (!node.isObject()) {
            throw new BrokenFileException(name + ": not a JSON object");
        }
        return node;
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
