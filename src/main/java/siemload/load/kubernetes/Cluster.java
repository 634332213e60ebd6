package siemload.load.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.URI;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;

/** A namespace of a cluster, as far as injectors need it: docs/kubernetes.md has the rights for it. Thread-safe. */
final class Cluster implements AutoCloseable {
    private static final int RETRIES = 2;

    private final KubernetesClient client;
    private final String namespace;

    private Cluster(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /**
     * Connects to the cluster that the kubeconfig, or the pod that this process runs in, names.
     *
     * @throws ConfigException if there is none, or it does not answer, or lets nobody look at pods
     */
    static Cluster connect(Settings settings) {
        return connect(Config.autoConfigure(null), settings);
    }

    /** Connects as a configuration of the client says. */
    static Cluster connect(Config config, Settings settings) {
        Origin origin = settings.origin(Property.IMAGE);
        requireVerified(config, origin);
        String namespace = Optional.ofNullable(config.getNamespace())
                .orElseThrow(() -> new ConfigException(
                        origin, "in which namespace? (kubectl config set-context --current --namespace NAME)"));
        Config patient =
                new ConfigBuilder(config).withRequestRetryBackoffLimit(RETRIES).build();
        Cluster cluster =
                new Cluster(new KubernetesClientBuilder().withConfig(patient).build(), namespace);
        try {
            cluster.client
                    .pods()
                    .inNamespace(namespace)
                    .withLabel(JobOrder.JOB_LABEL, "none")
                    .list();
            return cluster;
        } catch (KubernetesClientException refused) {
            cluster.close();
            throw new ConfigException(
                    origin,
                    "no pods can be seen in namespace " + namespace + " of " + config.getMasterUrl() + ": "
                            + Refusal.of(refused) + " (docs/kubernetes.md has the rights that are needed)");
        }
    }

    /** The password of the database goes over it. */
    private static void requireVerified(Config config, Origin origin) {
        URI server = URI.create(config.getMasterUrl());
        boolean onThisMachine = "127.0.0.1".equals(server.getHost()) || "localhost".equals(server.getHost());
        if (config.isTrustCerts() || !("https".equals(server.getScheme()) || onThisMachine)) {
            throw new ConfigException(
                    origin,
                    "the connection to " + config.getMasterUrl()
                            + " would not be verified, and passwords go over it (give its"
                            + " certificate-authority in the kubeconfig, and no insecure-skip-tls-verify)");
        }
    }

    String namespace() {
        return namespace;
    }

    /** The pod of this name, if it is there and may be looked at. */
    Optional<Pod> find(String pod) {
        try {
            return Optional.ofNullable(pod(pod).get());
        } catch (KubernetesClientException unseen) {
            return Optional.empty();
        }
    }

    PodResource pod(String name) {
        return client.pods().inNamespace(namespace).withName(name);
    }

    /** Follows the pods of a Job until the result is closed. */
    SharedIndexInformer<Pod> follow(String job, ResourceEventHandler<Pod> handler) {
        SharedIndexInformer<Pod> informer = client.pods()
                .inNamespace(namespace)
                .withLabel(JobOrder.JOB_LABEL, job)
                .runnableInformer(0);
        informer.addEventHandler(handler);
        informer.exceptionHandler((started, failure) -> true);
        informer.start().toCompletableFuture().join();
        return informer;
    }

    /** @throws KubernetesClientException if the cluster refuses it */
    void create(Job job) {
        client.batch().v1().jobs().inNamespace(namespace).resource(job).create();
    }

    /** What the cluster says that went wrong with a Job, the latest last; empty where nothing did, or nobody may look. */
    String warnings(String job) {
        try {
            return client
                    .v1()
                    .events()
                    .inNamespace(namespace)
                    .withField("involvedObject.name", job)
                    .list()
                    .getItems()
                    .stream()
                    .filter(event -> "Warning".equals(event.getType()))
                    .map(Event::getMessage)
                    .reduce("", (before, last) -> last);
        } catch (KubernetesClientException unseen) {
            return "";
        }
    }

    /** Asks the cluster to delete a Job after its pods. @throws KubernetesClientException if it refuses */
    void delete(String job) {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
    }

    /** Whether there is such a Job, or anything of it. @throws KubernetesClientException if the cluster does not answer */
    boolean has(String job) {
        return client.batch().v1().jobs().inNamespace(namespace).withName(job).get() != null;
    }

    @Override
    public void close() {
        client.close();
    }
}
