package siemload.run;

import java.util.Optional;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.EmbeddedOptions;
import siemload.database.TargetPlugin;
import siemload.database.provision.ContainerRequest;
import siemload.database.provision.ContainerRequest.Ending;
import siemload.database.provision.ProvidedServer;
import siemload.database.provision.Provisioner;

/** Gets the server that the settings of a run ask for. Used by one thread. */
record ServerStart(RunHost host, RunPlan plan, Resources resources) {
    /** Returns when the server is ready; the resources give it back. */
    ProvidedServer start() {
        TargetPlugin plugin = plan.choice().plugin();
        Settings settings = plan.settings();
        CacheDirectory.prepare(plan);
        host.status("starting " + plugin.id());
        return switch (plan.choice().provision()) {
            case EMBEDDED -> {
                new DiskSpace(plan).requireForServer();
                EmbeddedOptions options = new EmbeddedOptions(
                        plan.cache(), settings.value(Property.PORT), plan.sessions(), plan.parameters());
                yield resources.open(() -> Provisioner.embedded(plugin, options, host));
            }
            case EXTERNAL ->
                resources.add(Provisioner.external(
                        settings.value(Property.URL), settings.credentials(), settings.find(Property.CACHE_COMMAND)));
            case CONTAINER ->
                resources
                        .add(Provisioner.container(plugin, containerRequest(), host))
                        .start();
        };
    }

    private ContainerRequest containerRequest() {
        Settings settings = plan.settings();
        Optional<String> image = settings.find(Property.IMAGE);
        return new ContainerRequest(
                image,
                settings.value(Property.CONTAINER_MEMORY),
                settings.value(Property.CONTAINER_CPUS),
                plan.sessions(),
                plan.parameters(),
                settings.value(Property.KEEP_CONTAINER) ? Ending.KEEP : Ending.REMOVE,
                plan.cache());
    }
}
