package siemload.target.oracle;

import java.util.List;
import java.util.Map;
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
import siemload.target.Variant;

/** Oracle Database 19 or newer. Stateless and thread-safe. */
public final class OraclePlugin implements TargetPlugin {
    /** Estimated, not measured: the JSON, the columns and six indexes of an event of 600 bytes. */
    private static final int BYTES_PER_EVENT = 1_900;

    @Override
    public String id() {
        return "oracle";
    }

    @Override
    public String title() {
        return "Oracle Database 19 or newer, in a container or your own";
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("arc_event"),
                List.of(IndexSet.NATIVE, IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS, IndexSet.COMPOUND),
                List.of(Hint.values()),
                List.of(Paging.OFFSET, Paging.KEYSET),
                List.of(Provision.CONTAINER, Provision.EXTERNAL),
                BYTES_PER_EVENT);
    }

    /** What a session can set is known to the server alone. */
    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Optional.empty();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        throw new UnsupportedOperationException("Oracle cannot be embedded");
    }

    @Override
    public Optional<ContainerServer> container(ContainerOptions options) {
        return Optional.of(OracleContainer.of(options));
    }

    @Override
    public List<String> processNames() {
        return List.of("ora_", "oracle");
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        Connections connections =
                Connections.of(address, options.searchTimeout()).with(options.parameters());
        return OracleTarget.connect(connections, Tablespaces.of(address.url()), options);
    }
}
