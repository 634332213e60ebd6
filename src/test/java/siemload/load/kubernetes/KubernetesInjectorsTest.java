package siemload.load.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.server.mock.OutputStreamMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import siemload.cli.ProcessHost;
import siemload.config.ConfigException;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.load.injector.InjectorChannel;
import siemload.load.kubernetes.KubernetesInjectors.Cluster;

/** What is asked of an API server, and what is made of its answers; its stand-in does nothing by itself. */
@EnableKubernetesMockClient(https = false, crud = true)
@Timeout(60)
final class KubernetesInjectorsTest {
    private static final String JOBS = "/apis/batch/v1/namespaces/load/jobs";

    @SuppressWarnings("NullAway.Init") // set by the extension
    private KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    private Optional<KubernetesInjectors> injectors = Optional.empty();

    @AfterEach
    void close() {
        injectors.ifPresent(KubernetesInjectors::close);
    }

    @Test
    void oneJobIsMadeForAllAndDeletedInTheForeground() throws Exception {
        KubernetesInjectors three = open(Duration.ofMinutes(5));
        for (int index = 0; index < 3; index++) {
            three.start(index);
        }
        assertThat(jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.getSpec().getCompletions()).isEqualTo(3));

        three.close();

        assertThat(jobs()).isEmpty();
        assertThat(requests())
                .anyMatch(request -> request.startsWith("DELETE " + JOBS + "/siemload-1 ")
                        && request.contains("\"propagationPolicy\":\"Foreground\""));
    }

    @Test
    void aServerThatIsNotVerifiedIsRefusedSincePasswordsGoThere() {
        Settings settings = Settings.of(SettingSources.NONE);
        Config unverified = new ConfigBuilder(client.getConfiguration())
                .withTrustCerts(true)
                .build();

        assertThatThrownBy(() -> Cluster.connect(unverified, settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("would not be verified, and passwords go over it");
    }

    @Test
    void aJobThatIsRefusedSaysWhy() {
        server.expect()
                .post()
                .withPath(JOBS)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withMessage("jobs.batch is forbidden: User \"x\" cannot create resource \"jobs\"")
                                .build())
                .always();

        assertThatThrownBy(() -> open(Duration.ofMinutes(5)).start(0))
                .isInstanceOf(IOException.class)
                .hasMessage("Job siemload-1: jobs.batch is forbidden: User \"x\" cannot create resource \"jobs\"");
    }

    @Test
    void aPodThatRunsIsAttachedTo() throws Exception {
        server.expect()
                .get()
                .withPath(
                        "/api/v1/namespaces/load/pods/p1/attach?container=injector&stdin=true&stdout=true&stderr=true")
                .andUpgradeToWebSocket()
                .open(new OutputStreamMessage("a frame\n"))
                .done()
                .always();
        InjectorChannel channel = open(Duration.ofMinutes(5)).start(1);
        make(pod("p1", 1).build());
        become(running("p1", 1));

        assertThat(channel.output().readNBytes(8)).asString().isEqualTo("a frame\n");
        assertThat(channel.place()).isEqualTo("pod p1");
    }

    @Test
    void aPodThatEndsBeforeItIsAttachedToIsNamedWithItsReason() throws Exception {
        InjectorChannel channel = open(Duration.ofMinutes(5)).start(2);
        make(pod("p2", 2).build());
        become(pod("p2", 2)
                .editOrNewStatus()
                .withPhase("Failed")
                .withReason("Evicted")
                .withMessage("The node was low on resource: memory.")
                .endStatus()
                .build());

        assertThatThrownBy(channel::output)
                .hasMessage("has ended: its pod has failed (Evicted: The node was low on resource: memory.)");
        assertThat(channel.fate().get(10, TimeUnit.SECONDS)).contains("Evicted");
    }

    @Test
    void aPodThatDoesNotRunInTimeSaysWhatItWaitsFor() throws Exception {
        InjectorChannel channel = open(Duration.ofSeconds(2)).start(0);
        make(pod("p0", 0)
                .editOrNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage("0/1 nodes are available: 1 Insufficient cpu.")
                .endCondition()
                .endStatus()
                .build());

        assertThatThrownBy(channel::output)
                .hasMessage("does not run after 2 s: Unschedulable: 0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void aJobWithoutPodsSaysWhatTheClusterSaysOfIt() throws Exception {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/load/events?fieldSelector=involvedObject.name%3Dsiemload-1")
                .andReturn(200, """
                        {"apiVersion": "v1", "kind": "EventList", "metadata": {}, "items": [
                         {"type": "Normal", "message": "Created"},
                         {"type": "Warning", "message": "Error creating: exceeded quota"}]}""")
                .always();
        InjectorChannel channel = open(Duration.ofSeconds(1)).start(0);

        assertThatThrownBy(channel::output).hasMessage("has no pod after 1 s: Error creating: exceeded quota");
        assertThat(channel.place()).isEqualTo("no pod of Job siemload-1");
    }

    private KubernetesInjectors open(Duration podTimeout) {
        Config config = new ConfigBuilder(client.getConfiguration())
                .withTrustCerts(false)
                .withNamespace("load")
                .build();
        Cluster cluster = Cluster.connect(config, Settings.of(SettingSources.NONE));
        JobOrder order = new JobOrder(
                "siemload-1", "load", 3, "siemload:1", 1, 512L << 20, Duration.ofHours(1), Optional.empty());
        KubernetesInjectors opened = new KubernetesInjectors(new ProcessHost(), cluster, order, podTimeout);
        injectors = Optional.of(opened);
        return opened;
    }

    private List<Job> jobs() {
        return client.batch().v1().jobs().inNamespace("load").list().getItems();
    }

    private void make(Pod pod) {
        client.pods().inNamespace("load").resource(pod).create();
    }

    private void become(Pod pod) {
        client.pods().inNamespace("load").resource(pod).updateStatus();
    }

    private static Pod running(String name, int index) {
        return pod(name, index)
                .editOrNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .withContainerStatuses(new ContainerStatusBuilder()
                        .withName("injector")
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .build())
                .endStatus()
                .build();
    }

    private static PodBuilder pod(String name, int index) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("load")
                .addToLabels(JobOrder.JOB_LABEL, "siemload-1")
                .addToAnnotations(JobOrder.INDEX, String.valueOf(index))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("injector")
                .endContainer()
                .endSpec();
    }

    /** All that the server was asked, each with its body. */
    private List<String> requests() {
        return java.util.stream.Stream.generate(this::next)
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow)
                .toList();
    }

    private Optional<String> next() {
        try {
            return Optional.ofNullable(server.takeRequest(10, TimeUnit.MILLISECONDS))
                    .map(request -> request.getMethod() + " " + request.getPath() + " "
                            + request.getBody().readUtf8());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
