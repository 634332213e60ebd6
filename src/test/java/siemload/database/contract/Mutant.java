package siemload.database.contract;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import siemload.database.Abilities;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Offer;
import siemload.database.Product;
import siemload.database.ServerAddress;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.memory.MemoryPlugin;
import siemload.query.Paging;

/** The reference with one fault or none, to see that the contract notices it. */
final class Mutant implements TargetPlugin {
    private final TargetPlugin healthy = new MemoryPlugin();
    private final Optional<Fault> fault;
    private final Optional<Target> server;

    /** @param contract the one that it is made for: where several connect at once, they find the same server */
    Mutant(Class<?> contract, Optional<Fault> fault) {
        this.fault = fault;
        TargetOptions options = new TargetOptions(
                new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET), ContractSubject.TIMEOUT, 1);
        this.server = Stream.of(ConcurrencyContract.class, ReadContract.class, SharedLoadContract.class)
                .filter(contract::equals)
                .findFirst()
                .map(several -> mutant(new SharedReference(healthy.connect(new ServerAddress("", "", ""), options))));
    }

    @Override
    public Product product() {
        return Product.inProcess(
                "mutant", healthy.name(), fault.map(Fault::name).orElse("healthy"));
    }

    @Override
    public Abilities abilities() {
        return healthy.abilities();
    }

    @Override
    public Set<Offer> offers() {
        return healthy.offers();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return healthy.startEmbedded(options);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return server.map(Mutant::keptOpen).orElseGet(() -> mutant(healthy.connect(address, options)));
    }

    private Target mutant(Target target) {
        return fault.<Target>map(wrong -> new MutantTarget(target, wrong)).orElse(target);
    }

    /** Whoever closes it leaves it as it is for the others. */
    private static Target keptOpen(Target server) {
        return Replacing.method("close", Optional.empty(), Target.class, server);
    }
}
