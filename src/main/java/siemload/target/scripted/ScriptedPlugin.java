package siemload.target.scripted;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.query.Paging;
import siemload.target.Abilities;
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

/** Answers by the clock, see {@link Behaviour}; it stores nothing but the ids of fed events. Stateless and thread-safe. */
public final class ScriptedPlugin implements TargetPlugin {
    private static final int BYTES_ON_DISK = 0;

    @Override
    public String id() {
        return "scripted";
    }

    @Override
    public String title() {
        return "answers by the clock, to test siemload itself (not a database)";
    }

    @Override
    public Abilities abilities() {
        return new Abilities(
                List.of("by-search"),
                List.of(IndexSet.NONE),
                List.of(Hint.NONE),
                List.of(Paging.OFFSET),
                List.of(Provision.EMBEDDED),
                BYTES_ON_DISK);
    }

    @Override
    public Optional<String> refusal(Variant variant, Provision provision, Map<String, String> parameters) {
        return Pace.refusal(parameters);
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return new EmbeddedServer() {
            @Override
            public ServerAddress address() {
                return new ServerAddress("scripted:", "", "");
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return new ScriptedTarget(options.searchTimeout(), options.parameters());
    }
}
