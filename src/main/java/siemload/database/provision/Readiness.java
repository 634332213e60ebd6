package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Frame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import siemload.database.Pause;
import siemload.database.TargetException;

/** Waits until the server in a container is ready. Used by one thread. */
record Readiness(DockerClient client, String container, String image, Listener listener) {
    /** A large database takes minutes to make its first files on a slow disk. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final int MILLIS_BETWEEN_PROBES = 200;
    private static final int LOG_SECONDS = 5;
    private static final int LOG_LINES = 8;

    /**
     * Probes again and again.
     *
     * @param probe throws a {@link TargetException} until the server is ready
     * @throws TargetException if the container ends, or is not ready in ten minutes
     */
    void await(Runnable probe) {
        long startNanos = System.nanoTime();
        while (true) {
            requireRunning();
            try {
                probe.run();
                return;
            } catch (TargetException notYet) {
                Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
                if (waited.compareTo(PATIENCE) > 0) {
                    throw new TargetException(
                            "the server in " + image + " is not ready after " + PATIENCE.toMinutes() + " minutes: "
                                    + notYet.getMessage() + "\nThe end of its log:\n" + log(client, container),
                            notYet);
                }
                listener.status("starting " + image + ": " + waited.toSeconds() + " s");
                Pause.millis(MILLIS_BETWEEN_PROBES, "waiting for the server in the container");
            }
        }
    }

    /** What to throw for a container that has ended by itself. */
    static TargetException ended(DockerClient client, String container) {
        ContainerState state = client.inspectContainerCmd(container).exec().getState();
        String why = Boolean.TRUE.equals(state.getOOMKilled())
                ? "needs more memory than it may use (raise it with -DcontainerMemory)"
                : "ended by itself with exit code " + state.getExitCodeLong();
        return new TargetException(
                "the server in the container " + why + ". The end of its log:\n" + log(client, container));
    }

    private void requireRunning() {
        ContainerState state = client.inspectContainerCmd(container).exec().getState();
        if (!Boolean.TRUE.equals(state.getRunning())) {
            throw ended(client, container);
        }
    }

    private static String log(DockerClient client, String container) {
        Queue<String> parts = new ConcurrentLinkedQueue<>();
        try {
            client.logContainerCmd(container)
                    .withStdOut(true)
                    .withStdErr(true)
                    .withTail(LOG_LINES)
                    .exec(new ResultCallback.Adapter<Frame>() {
                        @Override
                        public void onNext(Frame frame) {
                            parts.add(new String(frame.getPayload(), StandardCharsets.UTF_8));
                        }
                    })
                    .awaitCompletion(LOG_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DockerException unreadable) {
            return "  (it cannot be read: " + Docker.words(unreadable) + ")";
        }
        List<String> lines =
                String.join("", parts).lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty() ? "  (it is empty)" : "  " + String.join("\n  ", lines);
    }
}
