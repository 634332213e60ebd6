package siemload.run;

import java.util.ArrayList;
import java.util.List;
import siemload.config.ConfigException;
import siemload.database.DatasetKey;
import siemload.database.Provision;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.provision.ProvidedServer;
import siemload.scenario.Procedure;

/** Gets the servers beside the first one that a procedure works with, and the data set or an empty store on them. Used by one thread. */
record OtherServers(RunHost host, RunPlan plan, Resources resources) {
    /** How many servers a run works with. */
    static int count(RunPlan plan) {
        return plan.scenario().procedure().map(Procedure::servers).orElse(1);
    }

    /**
     * Refuses a plan with more servers than there are.
     *
     * @throws ConfigException if it is one
     */
    static void require(RunPlan plan) {
        int wanted = count(plan);
        if (wanted == 1) {
            return;
        }
        Provision provision = plan.choice().provision();
        if (provision != Provision.EMBEDDED) {
            throw new ConfigException(
                    plan.resolved().origin("procedure.servers"),
                    "procedure.servers: " + wanted
                            + " servers were asked for, but siemload starts several embedded ones only, and it is provision="
                            + provision.label() + " (give 1)");
        }
    }

    /** All of them are ready, with the data set in them unless the procedure begins without; the resources give them back. */
    List<OtherServer> open(String runId) {
        List<OtherServer> others = new ArrayList<>();
        for (int number = 2; number <= count(plan); number++) {
            others.add(open(number, runId));
        }
        return List.copyOf(others);
    }

    private OtherServer open(int number, String runId) {
        ProvidedServer server = new ServerStart(host, plan, resources).startOther(number);
        Target target = RunSetup.connect(host, plan, server, plan.sessions(), resources);
        DatasetKey key = DatasetKeys.of(plan, target.version());
        new ForeignServerCheck(host, plan).take(target, key, server.address().url());
        Store store = resources.add(store(server, target, key, runId + "-" + number));
        host.status("");
        return new OtherServer(number, server, target, store);
    }

    private Store store(ProvidedServer server, Target target, DatasetKey key, String name) {
        if (plan.startsEmpty()) {
            return target.emptyStore(name);
        }
        new DatasetLoading(host, plan).load(target, key, server);
        return target.read(key, name);
    }
}
