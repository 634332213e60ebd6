package siemload.load.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import siemload.load.kubernetes.KubernetesInjectors.PodChannel.PodState;

/** States of pods as a Kubernetes 1.37 wrote them, without what makes no difference. */
final class PodStateTest {

    @Test
    void anImageThatCannotBePulledNowIsWaitedFor() {
        assertThat(state(waiting("ImagePullBackOff", "Back-off pulling image")))
                .isEqualTo(new PodState.Waiting("ImagePullBackOff: Back-off pulling image"));
    }

    @Test
    void aContainerThatHasEndedSaysHow() {
        assertThat(state(terminated(0, "Completed")))
                .isEqualTo(new PodState.Over("has ended with exit code 0", "last words"));
        assertThat(state(terminated(137, "Error")))
                .isEqualTo(new PodState.Over("has ended with exit code 137", "last words"));
        assertThat(state(terminated(137, "OOMKilled")))
                .isEqualTo(new PodState.Over("has ended with exit code 137 (OOMKilled)", "last words"));
    }

    @Test
    void aPodThatIsBeingDeletedIsLostAlreadyAndSaysToWhom() {
        assertThat(deleted("""
                {"phase": "Running", "containerStatuses": [
                 {"name": "injector", "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}""")).isEqualTo(new PodState.Over("has ended: its pod is being deleted", ""));
        assertThat(deleted("""
                {"phase": "Running", "conditions": [{"type": "DisruptionTarget", "status": "True",
                 "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting"}]}"""))
                .isEqualTo(new PodState.Over(
                        "has ended: its pod is being deleted (EvictionByEvictionAPI: Eviction API: evicting)", ""));
    }

    private static String waiting(String reason, String message) {
        return """
                {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "True"}], "containerStatuses": [
                 {"name": "injector", "state": {"waiting": {"reason": "%s", "message": "%s"}}}]}""".formatted(reason, message);
    }

    private static String terminated(int code, String reason) {
        return """
                {"phase": "Failed", "containerStatuses": [{"name": "injector", "state": {"terminated":
                 {"exitCode": %d, "reason": "%s", "message": "last words\\n"}}}]}""".formatted(code, reason);
    }

    private static PodState state(String status) {
        return of("{\"metadata\": {\"name\": \"p\"}, \"status\": " + status + "}");
    }

    private static PodState deleted(String status) {
        return of("{\"metadata\": {\"name\": \"p\", \"deletionTimestamp\": \"2026-01-01T00:00:00Z\"}, \"status\": "
                + status + "}");
    }

    private static PodState of(String pod) {
        return PodState.of(Serialization.unmarshal(pod, Pod.class), JobOrder.CONTAINER);
    }
}
