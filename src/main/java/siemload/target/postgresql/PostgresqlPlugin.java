package siemload.target.postgresql;

import java.util.List;
import java.util.Optional;
import siemload.query.Paging;
import siemload.target.Abilities;
import siemload.target.ContainerOptions;
import siemload.target.ContainerServer;
import siemload.target.EmbeddedOptions;
import siemload.target.EmbeddedServer;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Provision;
import siemload.target.ServerAddress;
import siemload.target.Target;
import siemload.target.TargetOptions;
import siemload.target.TargetPlugin;

/** PostgreSQL 14 or newer. Stateless and thread-safe. */
public final class PostgresqlPlugin implements TargetPlugin {
    /** Tables and native indexes took 1,430 with 200,000 events of 580 bytes of JSON; a little more for longer lists. */
    private static final int BYTES_PER_EVENT = 1_600;

    @Override
    public String id() {
        return "postgresql";
    }

    @Override
    public String title() {
        return "PostgreSQL 14 or newer, embedded, in a container or your own";
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("mentat"),
                List.of(IndexSet.NATIVE, IndexSet.NONE),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                List.of(Provision.EMBEDDED, Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return EmbeddedPostgresqlServer.start(options);
    }

    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(PostgresqlContainer.of(options));
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return PostgresqlTarget.connect(new Connections(address, options), options);
    }
}
