package siemload.database.provision;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import siemload.database.contract.Required;

/** The image that {@code src/test/docker/build} makes, for tests on machines that cannot pull any. */
public final class TestImage {
    public static final String POSTGRESQL = "siemload-test/postgresql:15";

    private static final int PATIENCE_SECONDS = 20;

    private TestImage() {}

    /** Skips or fails the test where Docker does not have the image. */
    public static void require(String image, String requirement) throws IOException, InterruptedException {
        Required.orSkip(requirement, missing(image).map(why -> why + " (src/test/docker/build makes it)"));
    }

    /** By Docker's own command, which says no at once where Testcontainers would try many things. */
    static Optional<String> missing(String image) throws IOException, InterruptedException {
        Process docker;
        try {
            docker = new ProcessBuilder("docker", "image", "inspect", "--format", "{{.Id}}", image)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException notInstalled) {
            return Optional.of("Docker is not installed (" + notInstalled.getMessage() + ")");
        }
        if (!docker.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            docker.destroyForcibly();
            return Optional.of("Docker does not answer");
        }
        String said = new String(docker.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return docker.exitValue() == 0 ? Optional.empty() : Optional.of("the image is missing: " + said);
    }

    /** All containers that carry siemload's label, running or not, each by its name. */
    public static String containers() throws IOException, InterruptedException {
        return docker("ps", "--all", "--filter", "label=siemload", "--format", "{{.Names}}");
    }

    /** What Docker's own command says to these arguments. */
    static String docker(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        Process docker = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(docker.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        docker.waitFor();
        return said;
    }
}
