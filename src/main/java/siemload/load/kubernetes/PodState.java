package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a cluster says of an injector's pod. Immutable. */
sealed interface PodState {
    /** What a cluster goes on trying, although it is the same every time. */
    Set<String> HOPELESS = Set.of(
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    /** Reasons that say no more than the exit code. */
    Set<String> EMPTY_REASONS = Set.of("Error", "Completed");

    /**
     * It does not run yet.
     *
     * @param why as the cluster says it; empty where it says nothing
     */
    record Waiting(String why) implements PodState {}

    /** Its container runs. */
    record Running() implements PodState {}

    /**
     * It does not run any more, or never will.
     *
     * @param fate what became of it, as a predicate for people
     * @param lastWords what its container said at the end, as far as the cluster has kept it
     */
    record Over(String fate, String lastWords) implements PodState {}

    /** The state of a pod whose injector is the container of this name. */
    static PodState of(Pod pod, String container) {
        PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
        Optional<ContainerState> state = status.getContainerStatuses().stream()
                .filter(one -> container.equals(one.getName()))
                .findFirst()
                .map(ContainerStatus::getState);
        Optional<ContainerStateTerminated> ended = state.map(ContainerState::getTerminated);
        String lastWords =
                ended.map(ContainerStateTerminated::getMessage).orElse("").strip();
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return new Over("has ended: its pod is being deleted" + disruption(status), lastWords);
        }
        if ("Failed".equals(status.getPhase()) && !said(status.getReason()).isEmpty()) {
            return new Over("has ended: its pod has failed" + in(status.getReason(), status.getMessage()), lastWords);
        }
        if (ended.isPresent()) {
            return new Over("has ended" + exit(ended.orElseThrow()), lastWords);
        }
        if (state.map(ContainerState::getRunning).isPresent()) {
            return new Running();
        }
        Optional<ContainerStateWaiting> waiting = state.map(ContainerState::getWaiting);
        String why =
                waiting.map(one -> colon(one.getReason(), one.getMessage())).orElseGet(() -> unscheduled(status));
        return waiting.map(ContainerStateWaiting::getReason)
                .filter(HOPELESS::contains)
                .<PodState>map(hopeless -> new Over("does not come to run: " + why, lastWords))
                .orElseGet(() -> new Waiting(why));
    }

    private static String exit(ContainerStateTerminated ended) {
        String code = " with exit code " + ended.getExitCode();
        return EMPTY_REASONS.contains(said(ended.getReason())) ? code : code + in(ended.getReason(), "");
    }

    private static String unscheduled(PodStatus status) {
        return status.getConditions().stream()
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .map(condition -> colon(condition.getReason(), condition.getMessage()))
                .orElse("");
    }

    /** Who deletes a pod that nobody asked for says why, as far as it is a part of the cluster. */
    private static String disruption(PodStatus status) {
        List<PodCondition> conditions = status.getConditions();
        return conditions.stream()
                .filter(condition -> "DisruptionTarget".equals(condition.getType()))
                .findFirst()
                .map(condition -> in(condition.getReason(), condition.getMessage()))
                .orElse("");
    }

    private static String in(String reason, String message) {
        String why = colon(reason, message);
        return why.isEmpty() ? "" : " (" + why + ")";
    }

    private static String colon(String reason, String message) {
        return Stream.of(said(reason), said(message))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(": "));
    }

    /** The client knows no difference between what is not there and what is empty. */
    private static String said(String text) {
        return Optional.ofNullable(text).orElse("").strip();
    }
}
