package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.PullResponseItem;
import com.github.dockerjava.api.model.ResponseItem.ProgressDetail;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;
import siemload.database.TargetException;

/** An image, pulled where Docker does not have it yet. Used by one thread, but for closing, which ends a pull. */
final class ContainerImage implements AutoCloseable {
    private final DockerImageName name;
    private final DockerClient client;
    private final Pull pull;

    /**
     * @param text the name as the user or the target writes it
     * @param example a good name
     * @throws TargetException if it is no name of an image
     */
    ContainerImage(String text, String example, DockerClient client, Listener listener) {
        try {
            DockerImageName written = DockerImageName.parse(text);
            written.assertValid();
            this.name = ImageNameSubstitutor.instance().apply(written);
        } catch (IllegalArgumentException e) {
            throw new TargetException(
                    "'" + text + "' is no name of an image (write for example -Dimage=" + example
                            + " or -Dimage=registry.example/" + example.replaceFirst(":.*", "") + "@sha256:...)",
                    e);
        }
        this.client = client;
        this.pull = new Pull(listener);
    }

    /** The full name, with tag or digest. */
    String name() {
        return name.asCanonicalNameString();
    }

    /**
     * Sees to it that Docker has the image.
     *
     * @return its id
     * @throws TargetException if Docker does not have it and cannot pull it
     */
    String provide() {
        try {
            return id();
        } catch (NotFoundException notHere) {
            pull();
            return id();
        }
    }

    @Override
    public void close() {
        try {
            pull.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String id() {
        return Objects.requireNonNullElse(client.inspectImageCmd(name()).exec().getId(), "");
    }

    private void pull() {
        pull.listener.status("pulling " + name());
        try {
            client.pullImageCmd(name.getUnversionedPart())
                    .withTag(name.getVersionPart())
                    .exec(pull)
                    .awaitCompletion();
        } catch (DockerException | DockerClientException e) {
            throw new TargetException(
                    "the image " + name() + " cannot be pulled: " + Docker.words(e) + ". 'docker pull " + name()
                            + "' shows the same; log in with 'docker login' where the registry wants it, or name an"
                            + " image that this machine has or can pull with -Dimage=NAME",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("pulling " + name() + " was interrupted", e);
        }
    }

    /** Adds up how much of the image's layers has arrived. */
    private final class Pull extends PullImageResultCallback {
        private final Listener listener;
        private final Map<String, Long> arrived = new ConcurrentHashMap<>();
        private final Map<String, Long> whole = new ConcurrentHashMap<>();

        Pull(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void onNext(PullResponseItem item) {
            super.onNext(item);
            ProgressDetail detail = item.getProgressDetail();
            String layer = item.getId();
            if (!"Downloading".equals(item.getStatus()) || detail == null || layer == null) {
                return;
            }
            arrived.put(layer, Objects.requireNonNullElse(detail.getCurrent(), 0L));
            whole.put(layer, Objects.requireNonNullElse(detail.getTotal(), 0L));
            listener.status("pulling " + name() + ": " + megabytes(arrived) + " of " + megabytes(whole) + " MB");
        }

        private long megabytes(Map<String, Long> layers) {
            return layers.values().stream().mapToLong(Long::longValue).sum() >> 20;
        }
    }
}
