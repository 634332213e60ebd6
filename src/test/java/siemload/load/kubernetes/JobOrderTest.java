package siemload.load.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JobOrderTest {
    private static final String OWN_POD = """
            metadata: {name: siemload-run-abcde, uid: 1-2-3}
            spec:
              imagePullSecrets: [{name: registry}]
              containers:
                - name: siemload
                  image: registry.example/siemload:7
                  volumeMounts:
                    - {name: tmp, mountPath: /tmp}
                    - {name: database, mountPath: /database}
                    - {name: files, mountPath: /files, readOnly: true}
              volumes:
                - {name: tmp, emptyDir: {}}
                - {name: database, secret: {secretName: siemload-database}}
                - {name: files, configMap: {name: siemload-files, optional: true}}
            """;

    @Test
    void theJobIsAsSecureAndAsShortAsItCanBe() {
        Job expected = Serialization.unmarshal("""
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: siemload-1
                  namespace: load
                  labels: {app.kubernetes.io/name: siemload, app.kubernetes.io/component: injector}
                spec:
                  completionMode: Indexed
                  completions: 3
                  parallelism: 3
                  backoffLimit: 0
                  activeDeadlineSeconds: 3600
                  ttlSecondsAfterFinished: 300
                  template:
                    metadata:
                      labels: {app.kubernetes.io/name: siemload, app.kubernetes.io/component: injector}
                    spec:
                      restartPolicy: Never
                      automountServiceAccountToken: false
                      enableServiceLinks: false
                      terminationGracePeriodSeconds: 20
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 10001
                        runAsGroup: 10001
                        seccompProfile: {type: RuntimeDefault}
                      topologySpreadConstraints:
                        - maxSkew: 1
                          topologyKey: kubernetes.io/hostname
                          whenUnsatisfiable: ScheduleAnyway
                          labelSelector: {matchLabels: {batch.kubernetes.io/job-name: siemload-1}}
                      containers:
                        - name: injector
                          image: registry.example/siemload:7
                          args: [inject]
                          stdin: true
                          stdinOnce: true
                          terminationMessagePolicy: FallbackToLogsOnError
                          resources:
                            requests: {cpu: 250m, memory: "536870912"}
                            limits: {memory: "536870912"}
                          securityContext:
                            allowPrivilegeEscalation: false
                            readOnlyRootFilesystem: true
                            capabilities: {drop: [ALL]}
                          volumeMounts: [{name: tmp, mountPath: /tmp}]
                      volumes: [{name: tmp, emptyDir: {}}]
                """, Job.class);

        assertThat(order(Optional.empty()).job()).isEqualTo(expected);
    }

    @Test
    void injectorsOfAPodAreItsOwnAndHaveItsConfigMapsButNotItsSecrets() {
        OwnPod own = OwnPod.of(Serialization.unmarshal(OWN_POD, Pod.class)).orElseThrow();
        Job job = order(Optional.of(own)).job();
        PodSpec pod = job.getSpec().getTemplate().getSpec();

        assertThat(own.image()).isEqualTo("registry.example/siemload:7");
        assertThat(job.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getKind() + " " + owner.getName() + " " + owner.getUid())
                        .isEqualTo("Pod siemload-run-abcde 1-2-3"));
        assertThat(pod.getImagePullSecrets())
                .singleElement()
                .satisfies(secret -> assertThat(secret.getName()).isEqualTo("registry"));
        assertThat(pod.getVolumes()).extracting("name").containsExactly("tmp", "files");
        assertThat(pod.getContainers().get(0).getVolumeMounts())
                .extracting("mountPath")
                .containsExactly("/tmp", "/files");
    }

    @Test
    void nobodyKnowsWhichOfSeveralContainersThisProcessIsIn() {
        Pod pod = Serialization.unmarshal(OWN_POD, Pod.class);
        pod.getSpec().getContainers().add(pod.getSpec().getContainers().get(0));

        assertThat(OwnPod.of(pod)).isEmpty();
    }

    private static JobOrder order(Optional<OwnPod> own) {
        return new JobOrder(
                "siemload-1", "load", 3, "registry.example/siemload:7", 0.25, 512L << 20, Duration.ofHours(1), own);
    }
}
