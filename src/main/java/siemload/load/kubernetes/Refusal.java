package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.Set;

/** Why a cluster did not do something, for people: its own words, without the client's around them. Stateless. */
final class Refusal {
    private static final Set<Integer> FINAL = Set.of(400, 401, 403, 404, 422);

    private Refusal() {}

    /** Whether the cluster has understood, and will not do it: another time would be the same. */
    static boolean isFinal(KubernetesClientException refused) {
        return FINAL.contains(refused.getCode());
    }

    static String of(Throwable failure) {
        if (failure instanceof KubernetesClientException refused) {
            Optional<String> said = Optional.ofNullable(refused.getStatus()).map(Status::getMessage);
            if (said.isPresent()) {
                return said.orElseThrow();
            }
        }
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        return cause == failure || cause.getMessage() == null ? String.valueOf(failure.getMessage()) : message;
    }
}
