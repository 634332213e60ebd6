package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pod that this process runs in: its injectors are deleted with it, and are like it. Immutable.
 *
 * @param owner of what is made in its name
 * @param pullSecrets by which the cluster gets images
 * @param volumes those that hold ConfigMaps: scenarios, layouts and certificates of one's own are at the same place in injectors
 * @param mounts where these are
 */
record OwnPod(
        OwnerReference owner, List<LocalObjectReference> pullSecrets, List<Volume> volumes, List<VolumeMount> mounts) {

    OwnPod {
        pullSecrets = List.copyOf(pullSecrets);
        volumes = List.copyOf(volumes);
        mounts = List.copyOf(mounts);
    }

    /** Reads a pod; empty where it has several containers, of which nobody knows which one this process runs in. */
    static Optional<OwnPod> of(Pod pod) {
        List<Container> containers = pod.getSpec().getContainers();
        if (containers.size() != 1) {
            return Optional.empty();
        }
        Container container = containers.get(0);
        List<Volume> volumes = pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getConfigMap() != null)
                .toList();
        Set<String> names = volumes.stream().map(Volume::getName).collect(Collectors.toSet());
        return Optional.of(new OwnPod(
                new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .build(),
                pod.getSpec().getImagePullSecrets(),
                volumes,
                container.getVolumeMounts().stream()
                        .filter(mount -> names.contains(mount.getName()))
                        .toList()));
    }
}
