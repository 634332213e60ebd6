package siemload.database.provision;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Container;
import java.util.List;
import java.util.Map;
import siemload.database.registry.Holder;

/**
 * Containers of killed runs. Each carries its run's process and user as labels, unless it is to be kept; one is removed only if
 * that process was of this user and this machine and is gone. Stateless.
 */
final class Leftovers {
    private static final String HOLDER = "siemload.holder";
    private static final String USER = "siemload.user";
    /** No system on which it can be told whether a process is gone leaves a user without a name. */
    private static final String UNKNOWN = "?";

    private Leftovers() {}

    /** The labels of a container that is to go with this process. */
    static Map<String, String> labels() {
        return Map.of(HOLDER, Holder.ofThisProcess().text(), USER, user());
    }

    /** Removes what is left. */
    static void remove(DockerClient client, Listener listener) {
        List<Container> ours = client.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(USER, user()))
                .exec();
        for (Container container : ours) {
            if (Holder.of(container.getLabels().getOrDefault(HOLDER, "")) == Holder.Life.GONE) {
                remove(client, container.getId());
                listener.line("removed the container "
                        + String.join(",", container.getNames()).replace("/", "")
                        + ", which a run had left that was killed");
            }
        }
    }

    private static void remove(DockerClient client, String id) {
        try {
            client.removeContainerCmd(id)
                    .withForce(true)
                    .withRemoveVolumes(true)
                    .exec();
        } catch (NotFoundException | ConflictException another) {
            // Another run that starts just now was faster.
        }
    }

    /** Whether a process of another user runs may be invisible. */
    private static String user() {
        return ProcessHandle.current().info().user().orElse(UNKNOWN);
    }
}
