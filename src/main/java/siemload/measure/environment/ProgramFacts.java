package siemload.measure.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which version of siemload this is. */
public final class ProgramFacts {
    /** The commit of a release, in a line. */
    private static final String COMMIT = "/META-INF/siemload-commit";

    /** In the porcelain format, version 2, of git status, whose other lines are changes. */
    private static final String REVISION = "# branch.oid ";

    private ProgramFacts() {}

    /**
     * The version, and of a release or a checkout of git the commit.
     *
     * @param home the directory of siemload
     */
    public static Map<String, String> read(Path home) {
        Map<String, String> values = new TreeMap<>();
        String version = ProgramFacts.class.getPackage().getImplementationVersion();
        values.put("version", version == null ? "from a checkout" : version);
        try (InputStream file = ProgramFacts.class.getResourceAsStream(COMMIT)) {
            if (file != null) {
                values.put("revision", new String(file.readAllBytes(), StandardCharsets.UTF_8).strip());
            }
        } catch (IOException unreadable) {
            // Then it is not known.
        }
        Path place = home.toAbsolutePath();
        if (Files.exists(place.resolve(".git"))) {
            List<String> status = status(place);
            status.stream().filter(line -> line.startsWith(REVISION)).forEach(line -> {
                values.put("revision", line.substring(REVISION.length()));
                values.put("changed", status.stream().allMatch(one -> one.startsWith("#")) ? "no" : "yes");
            });
        }
        return values;
    }

    /** What git says; nothing where there is no git, or it refuses. */
    private static List<String> status(Path place) {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            "git",
                            "--no-optional-locks",
                            "-C",
                            place.toString(),
                            "status",
                            "--porcelain=v2",
                            "--branch",
                            "--untracked-files=normal")
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
            Process git = builder.start();
            git.getOutputStream().close();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor() == 0 ? said.lines().toList() : List.of();
        } catch (IOException noGit) {
            return List.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
