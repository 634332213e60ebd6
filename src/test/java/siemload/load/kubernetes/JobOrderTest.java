package siemload.load.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;

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
    void theJobIsAsSecureAndAsShortAsItCanBe() throws IOException {
        assertThat(order(Optional.empty()).job()).isEqualTo(golden("job.yaml"));
    }

    @Test
    void injectorsOfAPodAreItsOwnAndHaveItsConfigMapsButNotItsSecrets() throws IOException {
        OwnPod own = OwnPod.of(Serialization.unmarshal(OWN_POD, Pod.class)).orElseThrow();

        assertThat(order(Optional.of(own)).job()).isEqualTo(golden("job-of-a-pod.yaml"));
    }

    private static Job golden(String name) throws IOException {
        return Serialization.unmarshal(Files.readString(GoldenFile.of(name).path()), Job.class);
    }

    private static JobOrder order(Optional<OwnPod> own) {
        return new JobOrder(
                "siemload-1", "load", 3, "registry.example/siemload:7", 0.25, 512L << 20, Duration.ofHours(1), own);
    }
}
