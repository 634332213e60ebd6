package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Job whose pods are the injectors of a run, one for each index. Whatever happens to one is not tried again. Immutable.
 *
 * @param count how many
 * @param cpus that each asks for, without a limit: a limit stops a container now and then, and its measurements with it
 * @param memoryBytes of each
 * @param longest after which the cluster ends what is left of them
 * @param own the pod that this process runs in, where it runs in one
 */
record JobOrder(
        String name,
        String namespace,
        int count,
        String image,
        double cpus,
        long memoryBytes,
        Duration longest,
        Optional<OwnPod> own) {
    /** The injector's container in its pod. */
    static final String CONTAINER = "injector";

    /** On pods; the cluster puts it there. */
    static final String JOB_LABEL = "batch.kubernetes.io/job-name";

    /** On pods: which one of the Job it is, from 0. */
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    /** Of the user in siemload's image. */
    private static final long USER = 10_001;

    private static final int LEFT_SECONDS = 300;
    /** More than an injector takes to end in good order. */
    private static final long GRACE_SECONDS = 20;

    private static final String TEMPORARY = "tmp";

    /** As it is asked for. */
    Job job() {
        Map<String, String> labels =
                Map.of("app.kubernetes.io/name", "siemload", "app.kubernetes.io/component", CONTAINER);
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels)
                .withOwnerReferences(own.map(OwnPod::owner).stream().toList())
                .endMetadata()
                .withNewSpec()
                .withCompletionMode("Indexed")
                .withCompletions(count)
                .withParallelism(count)
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(longest.toSeconds())
                .withTtlSecondsAfterFinished(LEFT_SECONDS)
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withSpec(pod())
                .endTemplate()
                .endSpec()
                .build();
    }

    private PodSpec pod() {
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withImagePullSecrets(own.map(OwnPod::pullSecrets).orElse(List.of()))
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                // On machines of their own, where there are as many.
                .addNewTopologySpreadConstraint()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(Map.of(JOB_LABEL, name))
                .endLabelSelector()
                .endTopologySpreadConstraint()
                .addNewVolume()
                .withName(TEMPORARY)
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .addAllToVolumes(own.map(OwnPod::volumes).orElse(List.of()))
                .withContainers(container())
                .build();
    }

    private Container container() {
        Quantity memory = new Quantity(String.valueOf(memoryBytes));
        String milliCpus = BigDecimal.valueOf(cpus).movePointRight(3).setScale(0, RoundingMode.CEILING) + "m";
        return new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(image)
                .withArgs("inject")
                .withStdin(true)
                // Where the one connection to it ends, its input does.
                .withStdinOnce(true)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withNewResources()
                .withRequests(Map.of("cpu", new Quantity(milliCpus), "memory", memory))
                .withLimits(Map.of("memory", memory))
                .endResources()
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .addNewVolumeMount()
                .withName(TEMPORARY)
                .withMountPath("/tmp")
                .endVolumeMount()
                .addAllToVolumeMounts(own.map(OwnPod::mounts).orElse(List.of()))
                .build();
    }
}
